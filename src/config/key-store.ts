/** Keys by account, `<environment>@<origin>`. Every call throws UserError of exit 4. */
export interface KeyStore {
  /** Undefined when there is none; a locked keychain says the same. */
  get(account: string): Promise<string | undefined>;
  set(account: string, key: string): Promise<void>;
  /** False when there was none. */
  remove(account: string): Promise<boolean>;
}

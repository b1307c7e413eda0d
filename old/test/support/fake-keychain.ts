import type { Keychain } from '../../src/config/keys/keychain.ts';

export interface FakeKeychain extends Keychain {
  readonly secrets: Map<string, string>;
  /** How often it was asked for anything. */
  calls(): number;
}

export interface FakeKeychainOptions {
  secrets?: Readonly<Record<string, string>>;
  /** As libsecret behaves: gives and removes nothing, refuses to keep with this error. */
  locked?: Error;
  /** What every call throws. */
  failure?: Error;
}

/** A keychain in memory. */
export function createFakeKeychain(options: FakeKeychainOptions = {}): FakeKeychain {
  const secrets = new Map(Object.entries(options.secrets ?? {}));
  let calls = 0;
  const open = async () => {
    calls += 1;
    if (options.failure) throw options.failure;
  };
  return {
    secrets,
    calls: () => calls,
    async get(account) {
      await open();
      return options.locked ? undefined : secrets.get(account);
    },
    async set(account, secret) {
      await open();
      if (options.locked) throw options.locked;
      secrets.set(account, secret);
    },
    async remove(account) {
      await open();
      return options.locked ? false : secrets.delete(account);
    },
  };
}

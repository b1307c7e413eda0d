import type { ConfigFile } from './config-file.ts';
import type { Variables } from './variables.ts';

export interface EnvironmentSettings {
  readonly config: ConfigFile;
  readonly variables: Variables;
  /** The value of `--env`. */
  readonly environmentOption?: string | undefined;
}

/** A store that commands can act on. */
export interface Environment {
  readonly name: string;
  /** Its path ends in `/v1`, without a trailing slash. */
  readonly baseUrl: URL;
  readonly isProtected: boolean;
  /** Where the address is from: a variable's name, or `config.json`. */
  readonly urlSource: string;
}

/** The environment of a command, or why there is none yet: a terminal can ask, elsewhere it is exit 2. */
export type Resolution =
  | { readonly kind: 'found'; readonly environment: Environment }
  /** Several have an address and none is selected. */
  | { readonly kind: 'unselected'; readonly names: readonly string[] }
  /** The selected one has no address; without a name none was selected and none has an address. */
  | { readonly kind: 'unconfigured'; readonly name: string | undefined };

/** `--env`, then `PETSTORE_ENV`, then `env use`, then the only one with an address. @throws UserError for an unknown name or an address that cannot be used. */
export function resolveEnvironment(_settings: EnvironmentSettings): Resolution {
  throw new Error('not written yet');
}

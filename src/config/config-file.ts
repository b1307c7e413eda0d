import * as v from 'valibot';
import type { Variables } from './variables.ts';

/** The names that an environment may have; each is also part of a variable's name. */
export const environmentName = /^[a-z][a-z0-9-]{0,31}$/;

export const keyStorages = ['keychain', 'file'] as const;
export type KeyStorage = (typeof keyStorages)[number];

/** Where the key for one origin is, and its last characters; the key itself is never here. */
const StoredKey = v.strictObject({ storage: v.picklist(keyStorages), ending: v.string() });

const EnvironmentEntry = v.strictObject({
  url: v.exactOptional(v.string()),
  protected: v.exactOptional(v.boolean()),
  /** By origin. */
  keys: v.exactOptional(v.record(v.string(), StoredKey)),
});
export type EnvironmentEntry = v.InferOutput<typeof EnvironmentEntry>;

export const ConfigFile = v.strictObject({
  /** What `env use` selected. */
  environment: v.exactOptional(v.string()),
  output: v.exactOptional(v.picklist(['table', 'json', 'ndjson', 'csv', 'ids'])),
  /** `file` once a person chose a private file because there is no keychain. */
  keyStorage: v.exactOptional(v.picklist(keyStorages)),
  environments: v.exactOptional(v.record(v.string(), EnvironmentEntry)),
});
/** The content of config.json. */
export type ConfigFile = v.InferOutput<typeof ConfigFile>;

/** The content of config.json; a missing file, or no folder for one, counts as empty. @throws UserError `cli_invalid_config`. */
export function readConfigFile(_variables: Variables): ConfigFile {
  throw new Error('not written yet');
}

/** Changes config.json as it is now, which may not be what this process read before. */
export async function changeConfigFile(
  _variables: Variables,
  _change: (config: ConfigFile) => ConfigFile,
): Promise<void> {
  throw new Error('not written yet');
}

import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { outputFormats } from '../../contract/output-formats.ts';
import { messageOf, UserError } from '../../errors.ts';
import { changeFile } from '../../files/change-file.ts';
import { isMissing } from '../../files/is-missing.ts';
import { environmentName } from '../environments/environment-name.ts';
import { parseSettings } from '../settings/parse-settings.ts';

/** Where and when a key was stored, so that a silent keychain is not reported as "no key". Never the key. */
export const KeyRecord = v.strictObject({
  storage: v.picklist(['keychain', 'file']),
  /** ISO 8601 */
  storedAt: v.string(),
  lastFour: v.string(),
  /** Salted, to notice one key stored for two environments. */
  fingerprint: v.string(),
});
export type KeyRecord = v.InferOutput<typeof KeyRecord>;

const ConfiguredEnvironment = v.strictObject({
  url: v.exactOptional(v.string()),
  protected: v.exactOptional(v.boolean()),
});

export const ConfigFile = v.strictObject({
  /** The environment that `env use` chose. */
  environment: v.exactOptional(v.string()),
  output: v.exactOptional(v.picklist(outputFormats)),
  environments: v.exactOptional(
    v.record(v.pipe(v.string(), v.regex(environmentName)), ConfiguredEnvironment),
  ),
  /** By account, `<environment>@<origin>`: a changed URL simply has no key. */
  keys: v.exactOptional(v.record(v.string(), KeyRecord)),
});
export type ConfigFile = v.InferOutput<typeof ConfigFile>;

/** Reads the config file; a missing one is an empty one. @throws UserError `cli_invalid_config` with line and column. */
export function readConfigFile(file: string): ConfigFile {
  try {
    return parseConfig(file, readFileSync(file, 'utf8'));
  } catch (cause) {
    if (isMissing(cause)) return {};
    if (cause instanceof UserError) throw cause;
    const reason = messageOf(cause);
    throw new UserError('cli_invalid_config', `The config file cannot be read: ${reason}`, {
      cause,
    });
  }
}

/** Changes the config file on top of what stands there now, whatever this process read earlier. */
export async function changeConfigFile(
  file: string,
  change: (config: ConfigFile) => ConfigFile,
): Promise<void> {
  await changeFile(file, (text) => {
    const config = change(text === undefined ? {} : parseConfig(file, text));
    return `${JSON.stringify(config, null, 2)}\n`;
  });
}

function parseConfig(file: string, text: string): ConfigFile {
  return parseSettings(ConfigFile, { file, text });
}

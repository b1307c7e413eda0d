import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { outputFormats } from '../../contract/output-formats.ts';
import { messageOf, UserError } from '../../errors.ts';
import { isMissing } from '../../files/is-missing.ts';
import { KeyRecord } from '../keys/key-records.ts';
import { parseSettings } from '../settings/parse-settings.ts';
import { configFolderAdvice } from './paths.ts';

/** The names an environment may have; each is also part of a variable's name. */
export const environmentName = /^[a-z][a-z0-9-]{0,31}$/;

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

/** Reads the config file; a missing one counts as empty. @throws UserError `cli_invalid_config` with line and column. */
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

/** Changes the config file as it is now, which may not be what this process read earlier. */
export async function changeConfigFile(
  file: string,
  change: (config: ConfigFile) => ConfigFile,
): Promise<void> {
  // Loaded here: most runs only read.
  const { changeFile } = await import('../../files/change-file.ts');
  const write = (text: string | undefined) => {
    const config = change(text === undefined ? {} : parseConfig(file, text));
    return `${JSON.stringify(config, null, 2)}\n`;
  };
  await changeFile(file, write, configFolderAdvice);
}

function parseConfig(file: string, text: string): ConfigFile {
  return parseSettings(ConfigFile, { file, text });
}

import * as v from 'valibot';
import {
  describePlace,
  findDuplicateMember,
  findJsonMistake,
  findMemberOffset,
} from '../../contract/inspect-json.ts';
import { outputFormats } from '../../contract/output-formats.ts';
import { didYouMean, messageOf, UserError } from '../../errors.ts';
import { readOwnFile } from '../../files/read-own-file.ts';
import { isMissing } from '../../files/system-error.ts';
import { KeyRecord } from '../keys/key-records.ts';
import { dictionary } from './dictionary.ts';
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
  /** What `env use --for` chose. It stays when its time is over: until another choice, writes are refused. */
  temporary: v.exactOptional(
    v.strictObject({ environment: v.string(), until: v.pipe(v.string(), v.isoTimestamp()) }),
  ),
  output: v.exactOptional(v.picklist(outputFormats)),
  environments: v.exactOptional(dictionary(ConfiguredEnvironment, environmentName)),
  /** By account, `<environment>@<origin>`: a changed URL simply has no key. */
  keys: v.exactOptional(dictionary(KeyRecord)),
});
export type ConfigFile = v.InferOutput<typeof ConfigFile>;

/** Reads the config file; a missing one counts as empty. @throws UserError `cli_invalid_config` with line and column. */
export function readConfigFile(file: string): ConfigFile {
  try {
    return parseConfig(file, readOwnFile(file));
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

/** Every error is reported with its line and column: people edit this file by hand. */
function parseConfig(file: string, given: string): ConfigFile {
  const text = given.replace(/^\uFEFF/, '');
  const value = parseObject(file, text);
  const result = v.safeParse(ConfigFile, value);
  if (result.success) return result.output;
  throw refuse(
    file,
    result.issues.map((issue) => describeIssue(issue, text)),
  );
}

function parseObject(file: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { offset, reason } = findJsonMistake(text);
    throw refuse(file, [`${reason} (${describePlace(text, offset)})`]);
  }
  // Of two entries of one name the parser drops the first, which the next write would lose.
  const duplicate = findDuplicateMember(text);
  if (duplicate !== undefined) throw refuse(file, [`${duplicate} is given twice`]);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw refuse(file, ['it must hold one JSON object']);
}

function describeIssue(issue: v.BaseIssue<unknown>, text: string): string {
  const keys = (issue.path ?? []).map((item) => String(item.key));
  const member = `${keys.join('.')} (${describePlace(text, findMemberOffset(text, ...keys) ?? 0)})`;
  return issue.expected === 'never'
    ? `${member} is not a setting.${didYouMean(keys.at(-1) ?? '', settings)}`
    : `${member} must be ${issue.expected}, not ${issue.received}`;
}

const settings = [
  'environment',
  'temporary',
  'until',
  'output',
  'environments',
  'keys',
  'url',
  'protected',
];

function refuse(file: string, problems: readonly string[]): UserError {
  return new UserError('cli_invalid_config', `${file} cannot be used`, {
    details: [...problems, 'correct it in an editor, or move it away to start with the defaults'],
  });
}

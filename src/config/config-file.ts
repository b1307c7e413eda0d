import path from 'node:path';
import * as v from 'valibot';
import { describeIssues } from '../contract/error.ts';
import { codeOf, messageOf, UserError } from '../errors.ts';
import { isInUse } from '../files.ts';
import { outputFormats } from '../output-formats.ts';
import { withLock } from './lock-folder.ts';
import { createFolder, describeFolderChoice, findFolder } from './paths.ts';
import { parseStoredJson, readRegularFile } from './read-file.ts';
import type { Variables } from './variables.ts';
import { replaceFile } from './write-file.ts';

/** Words that mean something else behind `env`, or are lost as members of an object. */
const otherWords = [
  ...['list', 'use', 'set', 'remove', 'current', 'default', 'help', 'new', 'rename', 'show'],
  ...['constructor', 'prototype'],
];

/** The names that an environment may have; each is also part of a variable's name. */
export const environmentName = new RegExp(`^(?!(?:${otherWords.join('|')})$)[a-z][a-z0-9-]{0,31}$`);

const NOT_TEXT = 'must be a text';
const NOT_OBJECT = 'must be a JSON object';
const EnvironmentName = v.pipe(
  v.string(NOT_TEXT),
  v.regex(environmentName, 'is not a name for an environment'),
);
const KeyStorage = v.picklist(['keychain', 'file'], 'must be keychain or file');
export type KeyStorage = v.InferOutput<typeof KeyStorage>;

const KeyRecord = strictObject({ storage: KeyStorage, ending: v.string(NOT_TEXT) });
export type KeyRecord = v.InferOutput<typeof KeyRecord>;

const Origin = v.pipe(v.string(), v.check(isOrigin, 'is not an origin such as https://pets.test'));

const EnvironmentEntry = strictObject({
  url: v.exactOptional(v.string(NOT_TEXT)),
  protected: v.exactOptional(v.boolean('must be true or false')),
  keys: v.exactOptional(v.record(Origin, KeyRecord, NOT_OBJECT)),
});
export type EnvironmentEntry = v.InferOutput<typeof EnvironmentEntry>;

const Config = strictObject({
  environment: v.exactOptional(EnvironmentName),
  /** What was selected before it: `env use -` goes back there. */
  previousEnvironment: v.exactOptional(EnvironmentName),
  output: v.exactOptional(v.picklist(outputFormats, 'is not an output format')),
  /** `file` once a person chose a private file on a computer without a keychain. */
  keyStorage: v.exactOptional(KeyStorage),
  environments: v.exactOptional(v.record(EnvironmentName, EnvironmentEntry, NOT_OBJECT)),
});
export type Config = v.InferOutput<typeof Config>;

/** config.json as one run of the program has it: read once, when it is first needed. */
export interface ConfigFile {
  read(): Config;
  /** Changes it as it is now, which may not be what `read` returned. @throws UserError `cli_file`. */
  change(change: (config: Config) => Config): Promise<void>;
}

export function openConfigFile(variables: Variables): ConfigFile {
  let config: Config | undefined;
  const read = () => {
    config ??= readConfig(variables);
    return config;
  };
  const change: ConfigFile['change'] = async (change) => {
    config = await changeConfig(variables, change);
  };
  return { read, change };
}

/** The content of config.json; a missing file, or no folder for one, counts as empty. @throws UserError `cli_invalid_config`. */
export function readConfig(
  variables: Variables,
  isNeeded = !isGivenByVariables(variables),
): Config {
  const file = findConfigFile(variables);
  const text = file === undefined ? undefined : readText(file, isNeeded);
  if (text === undefined) return {};
  try {
    return parseConfig(text);
  } catch (cause) {
    throw new UserError('cli_invalid_config', `${file} cannot be used: ${messageOf(cause)}.`, {
      details: ['correct it in an editor, or move it away to start with an empty one'],
      cause,
    });
  }
}

/** Undefined where nothing is stored; a file out of reach counts as that for whoever does not need it. */
function readText(file: string, isNeeded: boolean): string | undefined {
  try {
    return readRegularFile(file).toString('utf8');
  } catch (cause) {
    // An error of a system call means that the file cannot be reached; any other, that it is not a regular file.
    const isOutOfReach = cause instanceof Error && 'syscall' in cause;
    if (codeOf(cause) === 'ENOENT') return undefined;
    if (isOutOfReach && !isNeeded) return undefined;
    const where = isInUse(cause)
      ? 'close it there, then run the same line again'
      : `look at its permissions and those of its folders; ${describeFolderChoice('config')}`;
    const cure = isOutOfReach ? where : 'move it away to start with an empty one';
    throw new UserError('cli_invalid_config', `${file} cannot be read: ${messageOf(cause)}.`, {
      details: [cure],
      cause,
    });
  }
}

export async function changeConfig(
  variables: Variables,
  change: (config: Config) => Config,
): Promise<Config> {
  const folder = await createFolder(variables, 'config');
  return await withLock(folder, async () => {
    const config = change(readConfig(variables, true));
    await replaceFile(path.join(folder, 'config.json'), `${JSON.stringify(config, null, 2)}\n`);
    return config;
  });
}

/** Whether a store can be used without any file. */
function isGivenByVariables(variables: Variables): boolean {
  const names = Object.keys(variables).filter((name) => variables[name]);
  const hasKey = names.some((name) => /^PETSTORE_(.+_)?API_KEY(_FILE)?$/.test(name));
  return hasKey && names.some((name) => /^PETSTORE_.+_URL$/.test(name));
}

export function findConfigFile(variables: Variables): string | undefined {
  const folder = findFolder(variables, 'config');
  return folder && path.join(folder, 'config.json');
}

function parseConfig(text: string): Config {
  const result = v.safeParse(Config, parseStoredJson(text));
  if (result.success) return result.output;
  throw new Error(describeIssues(result.issues));
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function strictObject<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.strictObject(entries, ({ expected }) =>
    expected === 'never' ? 'is not a setting' : NOT_OBJECT,
  );
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { describeIssues } from '../contract/error.ts';
import { messageOf, UserError } from '../errors.ts';
import { outputFormats } from '../output-formats.ts';
import { createFolder, findFolder } from './paths.ts';
import type { Variables } from './variables.ts';
import { replaceFile } from './write-file.ts';

/** The names that an environment may have; each is also part of a variable's name. The two words are lost in objects. */
export const environmentName = /^(?!constructor$|prototype$)[a-z][a-z0-9-]{0,31}$/;

const keyStorages = ['keychain', 'file'] as const;
export type KeyStorage = (typeof keyStorages)[number];

/** Where the key for one origin is, and its last characters; the key itself is never here. */
const KeyRecord = strictObject({ storage: v.picklist(keyStorages), ending: v.string() });
export type KeyRecord = v.InferOutput<typeof KeyRecord>;

const EnvironmentEntry = strictObject({
  url: v.exactOptional(v.string('must be a text')),
  protected: v.exactOptional(v.boolean('must be true or false')),
  /** By origin. */
  keys: v.exactOptional(v.record(v.string(), KeyRecord)),
});
export type EnvironmentEntry = v.InferOutput<typeof EnvironmentEntry>;

const Config = strictObject({
  /** What `env use` selected. */
  environment: v.exactOptional(v.string('must be a text')),
  output: v.exactOptional(v.picklist(outputFormats, 'is not an output format')),
  /** `file` once a person chose a private file on a computer without a keychain. */
  keyStorage: v.exactOptional(v.picklist(keyStorages, 'must be keychain or file')),
  environments: v.exactOptional(
    v.record(
      v.pipe(v.string(), v.regex(environmentName, 'is not a name for an environment')),
      EnvironmentEntry,
    ),
  ),
});
/** The content of config.json. */
export type Config = v.InferOutput<typeof Config>;

/** The content of config.json; a missing file, or no folder for one, counts as empty. @throws UserError `cli_invalid_config`. */
export function readConfig(variables: Variables): Config {
  const file = findConfigFile(variables);
  if (file === undefined) return {};
  try {
    return parseConfig(readFileSync(file, 'utf8'));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return {};
    throw new UserError('cli_invalid_config', `${file} cannot be used: ${messageOf(cause)}.`, {
      details: ['correct it in an editor, or move it away to start with an empty one'],
      cause,
    });
  }
}

/** Changes config.json as it is now, which may not be what this process read before. */
export async function changeConfig(
  variables: Variables,
  change: (config: Config) => Config,
): Promise<void> {
  const folder = await createFolder(variables, 'config');
  const text = `${JSON.stringify(change(readConfig(variables)), null, 2)}\n`;
  await replaceFile(path.join(folder, 'config.json'), text);
}

/** The path of config.json, whether or not it exists. */
export function findConfigFile(variables: Variables): string | undefined {
  const folder = findFolder(variables, 'config');
  return folder && path.join(folder, 'config.json');
}

function parseConfig(text: string): Config {
  const value = parseText(text.replace(/^\uFEFF/, ''));
  // A schema takes an array for an object.
  const result = v.safeParse(Config, Array.isArray(value) ? null : value);
  if (result.success) return result.output;
  throw new Error(describeIssues(result.issues));
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const offset = /position (\d+)/.exec(messageOf(cause))?.[1];
    const line = text.slice(0, Number(offset ?? text.length)).split('\n').length;
    throw new Error(`it is not valid JSON (line ${line})`, { cause });
  }
}

function strictObject<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.strictObject(entries, ({ expected }) =>
    expected === 'never' ? 'is not a setting' : 'must be a JSON object',
  );
}

import { readFileSync } from 'node:fs';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import * as v from 'valibot';
import { UserError } from '../errors.ts';

/** Where and when a key was stored, so that a silent keychain is not reported as "no key". Never the key. */
export const StoredKey = v.strictObject({
  storage: v.picklist(['keychain', 'file']),
  /** `<environment>@<origin>`: a changed URL simply has no key. */
  account: v.string(),
  storedAt: v.string(),
  lastFour: v.string(),
  /** Salted, to notice one key stored for two environments. */
  fingerprint: v.exactOptional(v.string()),
});
export type StoredKey = v.InferOutput<typeof StoredKey>;

export const ConfiguredEnvironment = v.strictObject({
  url: v.exactOptional(v.string()),
  protected: v.exactOptional(v.boolean()),
  key: v.exactOptional(StoredKey),
});
export type ConfiguredEnvironment = v.InferOutput<typeof ConfiguredEnvironment>;

export const ConfigFile = v.strictObject({
  environment: v.exactOptional(v.string()),
  output: v.exactOptional(v.string()),
  environments: v.exactOptional(v.record(v.string(), ConfiguredEnvironment)),
});
export type ConfigFile = v.InferOutput<typeof ConfigFile>;

/** Reads the config file; a missing one is an empty one. @throws UserError `cli_invalid_config` with line and column. */
export function readConfigFile(path: string): ConfigFile {
  const text = readText(path);
  if (text === undefined) return {};
  const errors: ParseError[] = [];
  const content: unknown = parse(text, errors, { disallowComments: true });
  const [error] = errors;
  if (error !== undefined) {
    throw refuse(path, `${printParseErrorCode(error.error)} at ${locate(text, error.offset)}`);
  }
  return parseConfig(path, text, content);
}

function parseConfig(path: string, text: string, content: unknown): ConfigFile {
  const result = v.safeParse(ConfigFile, content);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const keys = (issue.path ?? []).map((item) => String(item.key));
  const member = keys.join('.');
  const rule = issue.expected === 'never' ? 'is not a setting' : `must be ${issue.expected}`;
  throw refuse(path, `${member || 'the file'} ${rule} (${locate(text, findMember(text, keys))})`);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw new UserError(
      'cli_invalid_config',
      `The config file ${path} cannot be read: ${messageOf(cause)}`,
      { cause },
    );
  }
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ENOENT' || error.code === 'ENOTDIR')
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Where the last member of a path of keys begins: good enough to point at a line, keys being unique in practice. */
function findMember(text: string, keys: readonly string[]): number {
  return keys.reduce((from, key) => Math.max(from, text.indexOf(JSON.stringify(key), from)), 0);
}

function locate(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

function refuse(path: string, problem: string): UserError {
  return new UserError('cli_invalid_config', `The config file ${path} cannot be used: ${problem}`, {
    details: ['correct it in an editor, or move it away to begin with the defaults'],
  });
}

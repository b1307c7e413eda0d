import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Int64, parseInt64 } from '../contract/int64.ts';
import { petStatuses } from '../contract/pet.ts';
import { codeOf, messageOf, UserError } from '../errors.ts';
import { decodeText } from '../input/decode-text.ts';
import { quoteValue } from '../input/explain-value.ts';
import { findNearest } from '../input/find-nearest.ts';
import { stopWords } from '../input/stop-words.ts';
import { expandHome, findFolder } from './paths.ts';
import type { Variables } from './variables.ts';

/** The names that this computer gives to the numbers of categories. */
export interface Categories {
  /** Where they are, or would be; undefined where no folder is known. */
  readonly file: string | undefined;
  readonly names: ReadonlyMap<Int64, string>;
}

/** A category that was typed, or what is wrong with it, in words behind the value: `"fihs" …`. */
export type CategoryReading = { readonly id: Int64 } | { readonly problem: string };

/**
 * Reads `categories.csv` beside config.json, or what PETSTORE_CATEGORIES names. No such file: no names.
 * @throws UserError `cli_invalid_config` when the file cannot be read, or not understood.
 */
export async function readCategories(
  variables: Variables,
  signal: AbortSignal,
): Promise<Categories> {
  const file = await findCategoriesFile(variables);
  const none = { file, names: new Map<Int64, string>() };
  if (file === undefined) return none;
  try {
    return { file, names: await parseNames(await readFileText(file, signal)) };
  } catch (cause) {
    const isGiven = Boolean(variables.PETSTORE_CATEGORIES);
    if (!isGiven && codeOf(cause) === 'ENOENT') return none;
    const place = isGiven ? `${file} (PETSTORE_CATEGORIES)` : file;
    const message = `The names of categories in ${place} cannot be used: ${messageOf(cause)}.`;
    throw new UserError('cli_invalid_config', message, { cause });
  }
}

/** Reads `7`, `fish` or `7 fish`. */
export function readCategory({ names }: Categories, text: string): CategoryReading {
  const typed = normalizeName(text);
  const number = parseInt64(typed);
  if (number !== undefined) return { id: number };
  const named = [...names].find(([, name]) => normalizeName(name) === typed);
  if (named !== undefined) return { id: named[0] };
  const [, digits = '', rest = ''] = /^(-?\d+) (.+)$/.exec(typed) ?? [];
  const id = parseInt64(digits);
  const name = id === undefined ? undefined : names.get(id);
  if (id !== undefined && name !== undefined) {
    if (normalizeName(name) === rest) return { id };
    return { problem: `is not a category: ${id} is ${quoteValue(name)}` };
  }
  return { problem: explainUnknownCategory(typed, [...names.values()]) };
}

/** A category that was typed as an option. @throws UserError `cli_usage`. */
export function parseCategory(categories: Categories, text: string): Int64 {
  const reading = readCategory(categories, text);
  if ('id' in reading) return reading.id;
  const { file, names } = categories;
  const isUnnamed = names.size === 0 && file !== undefined && /\p{L}/u.test(text);
  throw new UserError(
    'cli_usage',
    `${quoteValue(text)} ${reading.problem}.`.replace(/\?\.$/, '?'),
    {
      details: isUnnamed
        ? [`To give categories names, put lines such as these in ${file}:`, '7,fish', '8,dog']
        : [],
    },
  );
}

/** `7 fish`, or the number alone where it has no name. */
export function formatCategory({ names }: Pick<Categories, 'names'>, id: Int64): string {
  const name = names.get(id);
  return name === undefined ? String(id) : `${id} ${name}`;
}

/** Where the names are, or would be. */
export async function findCategoriesFile(variables: Variables): Promise<string | undefined> {
  const { PETSTORE_CATEGORIES: given } = variables;
  const place = given
    ? path.resolve(expandHome(given, variables))
    : findFolder(variables, 'config');
  if (place === undefined) return undefined;
  const isFolder = !given || (await stat(place).catch(() => undefined))?.isDirectory();
  return isFolder ? path.join(place, 'categories.csv') : place;
}

const MAX_BYTES = 1024 * 1024;

async function readFileText(file: string, signal: AbortSignal): Promise<string> {
  const stats = await stat(file);
  // A pipe would be waited for.
  if (!stats.isFile()) throw new Error('it is not a file');
  if (stats.size > MAX_BYTES) throw new Error('it is larger than 1 MiB');
  return decodeText(await readFile(file, { signal })).text;
}

/** Lines of a number and a name, in either order; a first line without a number is a header. */
async function parseNames(text: string): Promise<ReadonlyMap<Int64, string>> {
  // Loaded here: most computers have no such file.
  const { findSeparator, readCsv } = await import('../input/csv.ts');
  const names = new Map<Int64, string>();
  const seen = new Set<string>();
  for (const [index, record] of readCsv(text, findSeparator(text, isNumber)).entries()) {
    const fail = (problem: string) => new Error(`line ${record.line} ${problem}`);
    if ('reason' in record) throw fail(record.reason);
    const cells = record.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    const number = cells.find(isNumber);
    const id = number === undefined ? undefined : parseInt64(number);
    if (cells.length === 0 || (index === 0 && number === undefined)) continue;
    const name = cells.find((cell) => cell !== number);
    if (cells.length !== 2 || id === undefined || name === undefined || isNumber(name))
      throw fail('must be a number and a name, such as 7,fish');
    const key = normalizeName(name);
    if (reservedNames.has(key))
      throw fail(`has the name ${quoteValue(name)}, which means something else`);
    if (seen.has(key)) throw fail(`has the name ${quoteValue(name)} a second time`);
    if (names.has(id)) throw fail(`has the number ${id} a second time`);
    seen.add(key);
    names.set(id, name);
  }
  return names;
}

function isNumber(cell: string): boolean {
  return /^-?\d+$/.test(cell);
}

const reservedNames: ReadonlySet<string> = new Set([...petStatuses, ...stopWords]);

function explainUnknownCategory(typed: string, names: readonly string[]): string {
  const nearest = findNearest(typed, names);
  if (nearest !== undefined) return `is not a category: did you mean ${nearest}?`;
  return names.length === 0
    ? 'is not a category number: write a whole number such as 7'
    : `is not a category: write a number, or a name such as ${names[0]}`;
}

/** Names are the same without regard to case, white space at the ends and how often, and how accents are encoded. */
function normalizeName(text: string): string {
  return text.trim().normalize('NFC').replace(/\s+/g, ' ').toLowerCase();
}

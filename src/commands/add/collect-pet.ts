import * as v from 'valibot';
import { isJsonObject, parseJson } from '../../contract/json.ts';
import { NewPet, PetStatus } from '../../contract/pet.ts';
import { UserError } from '../../errors.ts';
import { decodeText } from '../../input/decode-text.ts';
import { explainValue, lostLetters } from '../../input/explain-value.ts';
import { readBytes } from '../../input/read-bytes.ts';
import type { Context } from '../../program/context.ts';
import { listTypedOptions } from '../../program/next-lines.ts';

export interface PetOptions {
  readonly category?: bigint | undefined;
  readonly status?: PetStatus;
  /** A file with a JSON object, or `-` for stdin. */
  readonly from?: string;
}

/** A pet as far as it is known, not checked yet. */
export type Draft = { readonly [Field in keyof Required<NewPet>]?: unknown };

/** What the line and its file say of the pet; the line overrides the file. */
export async function readDraft(
  context: Context,
  words: readonly string[],
  options: PetOptions,
): Promise<Draft> {
  const name = await joinWords(context, words, options);
  const { category, status, from } = options;
  return {
    ...(from !== undefined && (await readObject(context, from))),
    ...(name !== undefined && { name }),
    ...(category !== undefined && { categoryId: category }),
    ...(status !== undefined && { status }),
  };
}

/** A name of several words is understood at a terminal; a number or an option among them may be no part of it. */
async function joinWords(
  context: Context,
  words: readonly string[],
  options: PetOptions,
): Promise<string | undefined> {
  if (words.length < 2) return words[0];
  const { terminal, prompts } = context;
  if (!terminal.isInteractive) throw refuseWords(context, words, options);
  const name = words.join(' ');
  const isDoubtful = words.some(
    (word) => /^[-\u2010-\u2015]|^\d+$/.test(word) || v.is(PetStatus, word.toLowerCase()),
  );
  if (!isDoubtful || (await prompts.askConfirm(`Add a pet called ${JSON.stringify(name)}?`, false)))
    return name;
  throw refuseWords(context, words, options);
}

/** Names everything that is missing at once. @throws UserError `cli_usage`. */
export function requireComplete({ name, categoryId }: Draft): void {
  const missing = [
    ...(name === undefined ? ['the name'] : []),
    ...(categoryId === undefined ? ['--category <id>'] : []),
  ];
  if (missing.length === 0) return;
  throw new UserError('cli_usage', `Missing: ${missing.join(' and ')}.`, {
    try: [['petstore', 'add', '--help']],
  });
}

/** @throws UserError `cli_invalid_input` that says everything that is wrong. */
export function checkPet(draft: Draft): NewPet {
  const result = v.safeParse(NewPet, draft);
  const problems = result.success ? findLostLetters(result.output) : result.issues.map(explain);
  if (result.success && problems.length === 0) return result.output;
  throw new UserError('cli_invalid_input', 'This pet cannot be added.', { details: problems });
}

/** What bytes that are not UTF-8 become on the way here; the letters are gone. */
function findLostLetters({ name }: NewPet): string[] {
  return name.includes('\ufffd') ? [`The name ${lostLetters}.`] : [];
}

const labels: Readonly<Record<string, string>> = {
  name: 'The name',
  categoryId: 'The category',
  status: 'The status',
};

function explain(issue: v.BaseIssue<unknown>): string {
  const [item] = issue.path ?? [];
  const field = String(item?.key);
  const label = labels[field];
  if (label === undefined) return `A pet has no field "${field}".`;
  return `${label} ${explainValue(field, issue.input)}.`;
}

/** `Max 7 sold` is taken for a name, a category and a status. The line keeps what else was typed and matters. */
function refuseWords(
  { options }: Context,
  words: readonly string[],
  { category, status }: PetOptions,
): UserError {
  const [, name = '', number, word] =
    /^(.*\S) (\d+)(?: (available|pending|sold))?$/i.exec(words.join(' ')) ?? [];
  const isPet = category === undefined && number !== undefined && (!word || !status);
  const line = [
    ...['petstore', 'add', isPet ? name : words.join(' ')],
    ...listOption('--category', isPet ? number : category),
    ...listOption('--status', isPet && word ? word.toLowerCase() : status),
    ...listOption('--env', options.env),
    ...listTypedOptions(options),
  ];
  const message = isPet
    ? 'The category and the status of a pet are options.'
    : 'A name of several words needs quotes.';
  return new UserError('cli_usage', message, { try: [line] });
}

function listOption(flag: string, value: unknown): string[] {
  return value === undefined ? [] : [flag, String(value)];
}

async function readObject({ stdin, signal }: Context, from: string): Promise<Draft> {
  const name = from === '-' ? 'stdin' : from;
  const { text } = decodeText(await readBytes(from === '-' ? stdin : from, name, signal));
  const value = parseObject(text);
  if (value !== undefined) return value;
  throw new UserError('cli_invalid_input', `${name} does not hold one pet as a JSON object.`, {
    details: ['For several pets, or a table, use petstore import.'],
    try: [['petstore', 'import', from]],
  });
}

function parseObject(text: string): Draft | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

import type * as v from 'valibot';
import { describeRule, formatName } from '../../contract/describe-issues.ts';
import { explainOverflow } from '../../contract/int64.ts';
import { isJsonObject, stringifyJson } from '../../contract/json.ts';
import { NAME_MAX_CODE_POINTS, petStatuses } from '../../contract/pet.ts';
import { didYouMean } from '../../errors.ts';

/** Why a value of a pet is refused, with the value, in the words of somebody who has a spreadsheet. */
const explanations = new Map<string, (value: unknown) => string>([
  ['name', explainName],
  ['categoryId', explainCategory],
  ['status', explainStatus],
]);

/** How to parse what is explained here: a field is explained by its value, so that one issue says all about it. */
export const onePerField = { abortPipeEarly: true } as const;

/** What is wrong with a field of a pet; a field that pets do not have, and what is not a pet, in the contract's words. */
export function explainIssue(field: string, issue: v.BaseIssue<unknown>): string {
  const explain = explanations.get(field);
  if (explain !== undefined) return issue.input === undefined ? 'is missing' : explain(issue.input);
  return describeRule(issue);
}

/** `name: is empty` */
export function describePetIssue(issue: v.BaseIssue<unknown>): string {
  const field = String(issue.path?.[0]?.key);
  return `${formatName(field)}: ${explainIssue(field, issue)}`;
}

function explainName(value: unknown): string {
  if (typeof value !== 'string') return `${showValue(value)} is not a name: write it in quotes`;
  if (value.trim() === '') return 'is empty';
  if ([...value].length > NAME_MAX_CODE_POINTS)
    return `${showValue(value)} is longer than ${NAME_MAX_CODE_POINTS} characters`;
  const what = /[\r\n]/.test(value) ? 'line break' : 'character that cannot be shown';
  return `${showValue(value)} holds a ${what}`;
}

function explainCategory(value: unknown): string {
  const what = `${showValue(value)} is not a category number`;
  const overflow = explainOverflow(value);
  if (overflow !== undefined) return `${what}${overflow}`;
  return isShortened(value)
    ? `${what}: Excel has shortened it; give the column the format Number, without decimals, and type it again`
    : `${what}: write a whole number such as 7`;
}

/** `1.23E+15`, or with a comma: what Excel makes of a long number. */
function isShortened(value: unknown): boolean {
  return typeof value === 'string' && /^\d([.,]\d+)?E\+?\d+$/i.test(value);
}

function explainStatus(value: unknown): string {
  const [last, ...others] = [...petStatuses].reverse();
  const choices = `${others.reverse().join(', ')} or ${last}`;
  const hint = typeof value === 'string' ? didYouMean(value, petStatuses) : '';
  return `${showValue(value)} is not a status: write ${choices}${hint && `.${hint}`}`;
}

const LONGEST_VALUE = 40;

/** The value as JSON, shortened. */
function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  return shorten(stringifyJson(cutLevels(value)));
}

/** No recursion could follow thousands of levels, of which each takes a character of what is shown. */
function cutLevels(value: unknown, levels = LONGEST_VALUE): unknown {
  if (levels === 0) return null;
  const cut = (inner: unknown) => cutLevels(inner, levels - 1);
  if (Array.isArray(value)) return value.map(cut);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner)]));
}

function shorten(text: string): string {
  const characters = [...text];
  if (characters.length <= LONGEST_VALUE) return text;
  return `${characters.slice(0, LONGEST_VALUE - 1).join('')}…`;
}

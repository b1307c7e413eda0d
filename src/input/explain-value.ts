import { explainOverflow } from '../contract/int64.ts';
import { stringifyJson } from '../contract/json.ts';
import { NAME_MAX_CODE_POINTS } from '../contract/pet.ts';

/** What is wrong with a value of a pet, and the cure, in the words of somebody who has a spreadsheet. */
export function explainValue(field: string, value: unknown): string {
  if (value === undefined)
    return field === 'name' ? 'is empty: write a name' : 'is empty: write a whole number such as 7';
  if (field === 'name') return explainName(value);
  if (field === 'categoryId') return explainCategory(value);
  return `${quoteValue(value)} is not a status: write available, pending, or sold`;
}

/** Why a name is refused that the contract allows. */
export const lostLetters =
  'contains U+FFFD (�), which stands for a letter that was lost because it was not in UTF-8: type it again';

function explainName(value: unknown): string {
  const shown = quoteValue(value);
  if (typeof value !== 'string') return `${shown} is not a name: write it as text`;
  if (value.trim() === '') return 'is empty: write a name';
  if (value.length > NAME_MAX_CODE_POINTS)
    return `${shown} is longer than ${NAME_MAX_CODE_POINTS} characters`;
  if (/[\r\n]/.test(value))
    return `${shown} contains a line break: remove it, or the quotation mark in front of it`;
  return `${shown} contains a character that cannot be seen: type it again`;
}

function explainCategory(value: unknown): string {
  const what = `${quoteValue(value)} is not a category number`;
  const digits = typeof value === 'string' && /^-?\d{1,100}$/.test(value) ? BigInt(value) : value;
  const overflow = explainOverflow(digits);
  if (overflow !== '') return `${what}${overflow}`;
  // What a spreadsheet makes of a long number, such as 1.23E+15.
  if (typeof value === 'string' && /^-?\d(?:[.,]\d+)?E\+?\d+$/i.test(value))
    return `${what}: the spreadsheet has shortened it; give the column the format Text and type it again`;
  return `${what}: write a whole number such as 7`;
}

const LONGEST_VALUE = 40;

/** A value in a message: quoted and shortened. */
export function quoteValue(value: unknown): string {
  const text = typeof value === 'string' ? value : stringifyJson(value);
  const characters = [...text.slice(0, 2 * LONGEST_VALUE + 1)];
  const shown =
    characters.length > LONGEST_VALUE
      ? `${characters.slice(0, LONGEST_VALUE - 1).join('')}…`
      : text;
  return typeof value === 'string' ? JSON.stringify(shown) : shown;
}

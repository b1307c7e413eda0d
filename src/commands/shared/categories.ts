import { type Categories, parseCategory, readCategories } from '../../config/categories.ts';
import { type Int64, parseInt64 } from '../../contract/int64.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context.ts';

/** The names of categories where they are shown: a file that cannot be used is one warning, and numbers are shown. */
export async function loadCategoryNames({
  variables,
  signal,
  terminal,
}: Context): Promise<Categories> {
  try {
    return await readCategories(variables, signal);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    terminal.warn('cli_categories', error.message);
    return { file: undefined, names: new Map() };
  }
}

/** A category that was typed, a number or a name. @throws UserError `cli_usage`, or what is wrong with the file of names. */
export async function parseTypedCategory(
  { variables, signal }: Context,
  text: string | undefined,
): Promise<Int64 | undefined> {
  if (text === undefined) return undefined;
  return parseInt64(text.trim()) ?? parseCategory(await readCategories(variables, signal), text);
}

import { type Categories, readCategories } from '../../config/categories.ts';
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

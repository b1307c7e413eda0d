import type { Environment } from '../config/environments.ts';
import type { Context } from './context.ts';

/** The conversation of `login`, which first use holds too. */
export async function signIn(_context: Context): Promise<Environment> {
  throw new Error('not written yet');
}

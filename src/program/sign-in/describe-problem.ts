import { RequestError } from '../../client/request-error.ts';
import { UserError } from '../../errors.ts';

/** What is wrong with what was typed, for the line below its prompt. @throws what is not a failure in words. */
export function describeProblem(error: unknown): string {
  if (error instanceof RequestError || error instanceof UserError) return error.message;
  throw error;
}

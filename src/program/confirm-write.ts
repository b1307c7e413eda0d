import type { Environment } from '../config/environments.ts';
import type { Context } from './context.ts';

/**
 * Passes a write to an unprotected environment. To a protected one it needs `--confirm <its name>`, or a yes on a terminal.
 * Called once per command.
 * @param action what would be done, such as `Add "Goldie", category 7, available,`; the place is put behind it.
 * @throws UserError `cli_confirmation_required` with the line that would do it, or `cli_declined`.
 */
export async function confirmWrite(
  _context: Context,
  _environment: Environment,
  _action: string,
): Promise<void> {
  throw new Error('not written yet');
}

import { UserError } from '../../errors.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';
import type { StoreOptions } from '../db/with-store.ts';

/** The error of a key that is not there. @param database as it may be shown */
export function refuseMissingKey(
  { id, ...options }: StoreOptions & { id: string },
  database: string,
): UserError {
  const flag = options.database === undefined ? [] : ['--database', database];
  return new UserError('cli_not_found', `There is no key ${id} in ${database}`, {
    next: [formatShellLine(['petstore', 'keys', 'list', ...flag])],
  });
}

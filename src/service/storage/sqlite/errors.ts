import { messageOf, UserError } from '../../../errors.ts';
import { StoreError } from '../store.ts';

/** SQLite's primary result codes (sqlite.org/rescode.html) and what they mean to whoever runs the service. */
const reasons: Readonly<Record<number, string>> = {
  3: 'its file may not be read or written',
  5: 'another program is writing to it',
  6: 'another program is writing to it',
  8: 'it is read-only',
  10: 'the disk fails',
  11: 'it is damaged: restore a backup',
  13: 'the disk is full',
  14: 'its file cannot be opened or created',
  26: 'the file is not a SQLite database',
};
const IO_ERROR = 10;

/** What a failed statement means to callers of the port; a failure of this program stays as it is. */
export function toStoreError(error: unknown): unknown {
  const code = findCode(error);
  const reason = code === undefined ? undefined : reasons[code];
  if (reason === undefined) return error;
  // After a failed write or sync, a commit may still turn out to be on the disk.
  const isOutcomeUnknown = code === IO_ERROR;
  return new StoreError(`the database cannot be used: ${reason}`, {
    cause: error,
    isOutcomeUnknown,
  });
}

/** The same where a person is told. @param what failed, as a sentence without its end */
export function toUserError(error: unknown, what: string): unknown {
  const code = findCode(error);
  if (code === undefined && !(error instanceof Error && 'syscall' in error)) return error;
  const reason = reasons[code ?? 0] ?? messageOf(error);
  return new UserError('cli_database', `${what}: ${reason}.`, { cause: error });
}

/** Extended result codes have the primary one in their low byte. */
export function findCode(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined;
  return Number(error.errcode) & 0xff;
}

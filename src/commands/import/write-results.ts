import { UserError } from '../../errors.ts';
import type { RowResult } from '../../import/send-rows.ts';
import type { Context } from '../../program/context.ts';
import type { Writer } from '../../terminal/formats.ts';
import { OutputClosedError } from '../../terminal/terminal.ts';

/**
 * Writes results as they arrive; a table has none. That stdout cannot be written does not stop the import: the error is
 * returned, unless its reader only left.
 */
export async function writeResults(
  { terminal: { format } }: Context,
  writer: Writer<RowResult>,
  results: AsyncGenerator<readonly RowResult[], void>,
): Promise<UserError | undefined> {
  let outputError: UserError | undefined;
  if (format !== 'table') {
    try {
      await writer.writeRows(keepOpen(format === 'ids' ? onlyAdded(results) : results));
    } catch (error) {
      if (error instanceof UserError && error.code === 'cli_output') outputError = error;
      else if (!(error instanceof OutputClosedError)) throw error;
    }
  }
  for await (const _ of results);
  return outputError;
}

/** Leaving a loop early ends what it reads from; not this. */
function keepOpen<T>(source: AsyncGenerator<T, void>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => ({ next: () => source.next() }) };
}

async function* onlyAdded(results: AsyncGenerator<readonly RowResult[], void>) {
  for await (const batch of keepOpen(results))
    yield batch.filter(({ outcome }) => outcome.kind === 'added');
}

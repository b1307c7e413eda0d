import path from 'node:path';
import type { History } from '../../history/open-history.ts';
import type { Context } from '../../program/context/context.ts';

/** Where the adds made from this machine are recorded. */
export function findHistoryFile({ paths }: Pick<Context, 'paths'>): string {
  return path.join(paths.stateFolder, 'history.db');
}

/** Gives `work` the history, and closes it afterwards. @throws UserError `cli_file` when it cannot be used. */
export async function withHistory<Result>(
  context: Pick<Context, 'paths'>,
  work: (history: History) => Promise<Result> | Result,
): Promise<Result> {
  const { openHistory } = await import('../../history/open-history.ts');
  const history = openHistory(findHistoryFile(context));
  try {
    return await work(history);
  } finally {
    history.close();
  }
}

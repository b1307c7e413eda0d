import type { ImportInput } from '../read/open-input.ts';
import { readRows } from '../read/read-rows.ts';
import type { BadRow, GoodRow, Problem } from '../read/row.ts';
import type { Draft } from './draft.ts';

/** What one reading of an input found. */
export type StagingReport = Awaited<ReturnType<typeof stageRows>>;

export interface StageOptions {
  onNotice(message: string): void;
  /** Called every few rows with the bytes read so far. */
  onRows(bytesRead: number): void;
  signal: AbortSignal;
}

/** A file in which everything is wrong must not fill the memory with what is wrong. */
const MAX_PROBLEMS = 1_000;

/** Reads and validates the whole input and stages its rows; the draft is complete only when there is no problem. */
export async function stageRows(
  { source, format }: ImportInput,
  draft: Pick<Draft, 'add' | 'complete'>,
  { signal, onNotice, onRows }: StageOptions,
) {
  /** In the order of the file, but no more than `MAX_PROBLEMS`; `problemCount` is of all. */
  const problems: Problem[] = [];
  let problemCount = 0;
  let rows = 0;
  let header = '';
  const onHeader = (text: string) => {
    header = text;
  };
  const take = (row: GoodRow | BadRow) => {
    rows += 1;
    if ('pet' in row) {
      if (problemCount === 0) draft.add(row);
      return;
    }
    problemCount += row.problems.length;
    problems.push(...row.problems.slice(0, MAX_PROBLEMS - problems.length));
  };
  for await (const some of readRows(source, format, { onNotice, onHeader })) {
    signal.throwIfAborted();
    for (const row of some) take(row);
    onRows(source.bytesRead());
  }
  if (problemCount === 0) draft.complete({ format, header });
  return { rows, hash: source.hash(), header, problems, problemCount };
}

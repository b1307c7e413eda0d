import type { ImportFile } from '../import-file.ts';
import type { Problem, ReadOptions } from './row.ts';

/** What phase 1 learned about a file. */
export interface FileCheck {
  /** Rows read, the bad ones among them. */
  rows: number;
  /** SHA-256 of the content, in hex. */
  hash: string;
  /** Every problem, but no more than `MAX_PROBLEMS`, in the order of the file. */
  problems: readonly Problem[];
  /** All problems, those beyond `problems` too. */
  problemCount: number;
}

export interface CheckOptions extends ReadOptions {
  /** Called at every row with the bytes read so far. */
  onRow(bytesRead: number): void;
  signal: AbortSignal;
}

/** A file in which everything is wrong must not fill the memory with what is wrong. */
export const MAX_PROBLEMS = 1_000;

/** Reads and validates the whole file without sending anything. */
export async function checkFile(file: ImportFile, options: CheckOptions): Promise<FileCheck> {
  const pass = file.readRows(options);
  const problems: Problem[] = [];
  let problemCount = 0;
  let rows = 0;
  for await (const row of pass.rows) {
    options.signal.throwIfAborted();
    rows += 1;
    options.onRow(pass.bytesRead());
    if (!('problems' in row)) continue;
    problemCount += row.problems.length;
    problems.push(...row.problems.slice(0, MAX_PROBLEMS - problems.length));
  }
  return { rows, hash: pass.hash(), problems, problemCount };
}

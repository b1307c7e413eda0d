import path from 'node:path';
import type { Context } from '../../program/context/context.ts';

/** Where the adds made from this machine are recorded. */
export function findHistoryFile({ paths }: Pick<Context, 'paths'>): string {
  return path.join(paths.stateFolder, 'history.db');
}

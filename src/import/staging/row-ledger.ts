/** Which rows are settled. Rows settle nearly in order, so only those ahead of the first open one are kept one by one. */
export interface RowLedger {
  settle(row: number): void;
  isSettled(row: number): boolean;
}

export function createRowLedger(): RowLedger {
  /** Every row up to this one is settled. */
  let front = 0;
  const ahead = new Set<number>();
  return {
    settle(row) {
      ahead.add(row);
      while (ahead.delete(front + 1)) front += 1;
    },
    isSettled: (row) => row <= front || ahead.has(row),
  };
}

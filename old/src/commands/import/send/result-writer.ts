import type { ImportResult } from '../../../contract/outputs/import.ts';
import { UserError } from '../../../errors.ts';
import type { RowResult } from '../../../import/staging/staging.ts';
import type { Context } from '../../../program/context/context.ts';
import type { RecordSheet } from '../../../terminal/records/record-sheet.ts';
import { openRecordWriter } from '../../../terminal/records/record-writer.ts';
import { ClosedOutputError } from '../../../terminal/sink.ts';

export function toImportResult({ row: { line, pet }, outcome }: RowResult): ImportResult {
  if (outcome.kind === 'added') return { line, outcome: 'added', pet: outcome.pet };
  if (outcome.kind === 'unknown') return { line, outcome: 'unknown', pet, reason: outcome.reason };
  const { code, message, status } = outcome;
  return { line, outcome: 'rejected', pet, error: { code, message, status } };
}

const resultSheet: RecordSheet<ImportResult> = {
  columns: [
    { name: 'line', heading: 'LINE', align: 'right' },
    { name: 'outcome', heading: 'OUTCOME' },
    { name: 'id', value: getAddedId },
    { name: 'name', value: ({ pet }) => pet.name, heading: 'NAME' },
    { name: 'categoryId', value: ({ pet }) => pet.categoryId },
    { name: 'status', value: ({ pet }) => pet.status },
    { name: 'reason', value: explain, heading: 'REASON' },
  ],
  id: getAddedId,
};

export type ResultWriter = ReturnType<typeof createResultWriter>;

/** A table waits for its last row: a file of which nothing is accepted must not fill the memory. */
const MAX_TABLE_ROWS = 200;

/**
 * Writes results to stdout: one for every row with a machine format, and only rows that were not added in a table.
 * That the reader of stdout left does not stop an import.
 */
export function createResultWriter({ terminal, options }: Pick<Context, 'terminal' | 'options'>) {
  const hasStringIds = options.stringIds ?? false;
  const writer = openRecordWriter(terminal, resultSheet, { hasStringIds, isLog: true });
  const isTable = terminal.format === 'table' && !terminal.isQuiet;
  let count = 0;
  return {
    /** Undefined when there is nothing to wait for. */
    add(result: ImportResult): Promise<void> | undefined {
      if (isTable && result.outcome === 'added') return undefined;
      count += 1;
      if (isTable && count > MAX_TABLE_ROWS) return undefined;
      return writer.add([result]).catch(ignoreClosedOutput);
    },
    async finish(): Promise<void> {
      await writer.finish().catch(ignoreClosedOutput).finally(writer.close);
      const more = count - MAX_TABLE_ROWS;
      if (isTable && more > 0)
        terminal.warn(`${more} more were not added; --rejects or --ndjson has them all.`);
    },
  };
}

function ignoreClosedOutput(error: unknown): void {
  if (error instanceof ClosedOutputError) return;
  if (!(error instanceof UserError)) throw error;
  throw new UserError(error.code, `${error.message} (stdout)`, { cause: error });
}

function getAddedId(result: ImportResult): bigint | undefined {
  return result.outcome === 'added' ? result.pet.id : undefined;
}

function explain(result: ImportResult): string {
  if (result.outcome === 'added') return '';
  return result.outcome === 'rejected'
    ? `${result.error.code}: ${result.error.message}`
    : result.reason;
}

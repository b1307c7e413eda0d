import type { RowResult } from '../../import/send/outcome-batch.ts';
import type { Context } from '../../program/context/context.ts';
import { createImportWriter, type ImportResult } from '../../terminal/records/import-writer.ts';
import { readRecordOptions } from '../shared/record-options.ts';

/** Writes what became of the rows to stdout. */
export interface ResultWriter {
  /** Resolves when there is room for more. */
  add(result: RowResult): Promise<void>;
  finish(): Promise<void>;
}

export function createResultWriter(context: Context): ResultWriter {
  const writer = createImportWriter(context.terminal, readRecordOptions(context));
  return { add: (result) => writer.add(toRecord(result)), finish: writer.finish };
}

function toRecord({ row: { line, pet }, outcome }: RowResult): ImportResult {
  switch (outcome.kind) {
    case 'added':
      return { line, outcome: 'added', pet: outcome.pet };
    case 'rejected': {
      const { code, message, status } = outcome;
      return { line, outcome: 'rejected', pet, error: { code, message, status } };
    }
    case 'unknown':
      return { line, outcome: 'unknown', pet, reason: outcome.reason };
  }
}

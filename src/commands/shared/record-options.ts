import type { Context } from '../../program/context/context.ts';
import type { PetWriterOptions } from '../../terminal/records/pet-writer.ts';

/** How the records of this run are written. */
export function readRecordOptions({ options }: Context): PetWriterOptions {
  return {
    fields: options.fields,
    hasStringIds: options.stringIds ?? false,
    isExcel: options.excel ?? false,
  };
}

import type { PetWriterOptions } from '../terminal/pet-writer.ts';
import type { Context } from './context.ts';

/** How the records of this run are to be written. */
export function readRecordOptions({ options }: Context): PetWriterOptions {
  return {
    fields: options.fields,
    hasStringIds: options.stringIds ?? false,
    isExcel: options.excel ?? false,
  };
}

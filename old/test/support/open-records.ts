import { PassThrough } from 'node:stream';
import type { Facts } from '../../src/terminal/records/encode-json.ts';
import type { RecordOptions, RecordSheet } from '../../src/terminal/records/record-sheet.ts';
import { openRecordWriter } from '../../src/terminal/records/record-writer.ts';
import { createTerminal, type TerminalOptions } from '../../src/terminal/terminal.ts';
import { readWritten } from './read-written.ts';

/** A writer of records to streams that a test reads. */
export function openRecords<Row extends Facts>(
  sheet: RecordSheet<Row>,
  options: RecordOptions & Partial<TerminalOptions> = {},
) {
  const stdout = Object.assign(new PassThrough({ highWaterMark: 1 << 20 }), { isTTY: false });
  const stderr = new PassThrough();
  const terminal = createTerminal({
    ...{ stdin: new PassThrough(), stdout, stderr, secrets: [], format: 'table' },
    ...{
      color: 'never',
      columns: undefined,
      isQuiet: false,
      verbosity: 0,
      isUnattended: true,
      isAccessible: false,
    },
    ...options,
  });
  return {
    ...openRecordWriter(terminal, sheet, options),
    text: () => readWritten(stdout),
    errorText: () => readWritten(stderr),
  };
}

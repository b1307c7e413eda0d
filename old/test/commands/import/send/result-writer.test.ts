import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createResultWriter } from '../../../../src/commands/import/send/result-writer.ts';
import type { OutputFormat } from '../../../../src/contract/output-formats.ts';
import type { ImportResult } from '../../../../src/contract/outputs/import.ts';
import type { OutputStream } from '../../../../src/terminal/sink.ts';
import { createTerminal } from '../../../../src/terminal/terminal.ts';
import { readWritten } from '../../../support/read-written.ts';

function open(stdout: OutputStream, format: OutputFormat, isQuiet = false) {
  const stderr = new PassThrough();
  const terminal = createTerminal({
    ...{ stdin: new PassThrough(), stdout, stderr, secrets: [], format },
    ...{
      color: 'never',
      columns: undefined,
      isQuiet,
      verbosity: 0,
      isUnattended: true,
      isAccessible: false,
    },
  });
  const writer = createResultWriter({ terminal, options: {} });
  return { writer, errorText: () => readWritten(stderr) };
}

function reject(line: number): ImportResult {
  const error = { code: 'invalid_request', message: 'no such category', status: 400 };
  return { line, outcome: 'rejected', pet: { name: 'Rex', categoryId: 4n }, error };
}

const added: ImportResult = {
  ...{ line: 2, outcome: 'added' },
  pet: { id: 1n, name: 'Mia', categoryId: 4n, status: 'sold' },
};

describe('the results of an import', () => {
  it('in a table are the rows that were not added, at most 200, and how many more', async () => {
    const stdout = new PassThrough({ highWaterMark: 1 << 20 });
    const { writer, errorText } = open(stdout, 'table');
    const rows = Array.from({ length: 250 }, (_, index) => reject(index + 3));
    await Promise.all([added, ...rows].map((row) => writer.add(row)));
    await writer.finish();
    const lines = readWritten(stdout).trimEnd().split('\n');
    expect(lines).toHaveLength(201);
    expect(lines.slice(0, 2)).toEqual([
      'LINE  OUTCOME   NAME  REASON',
      '   3  rejected  Rex   invalid_request: no such category',
    ]);
    expect(errorText()).toBe('50 more were not added; --rejects or --ndjson has them all.\n');
  });

  it('in JSON hold the pet and why it was rejected', async () => {
    const stdout = new PassThrough();
    const { writer } = open(stdout, 'json');
    await writer.add(added);
    await writer.add(reject(3));
    expect(readWritten(stdout)).toBe(
      '[\n  {"line":2,"outcome":"added","pet":{"id":1,"name":"Mia","categoryId":4,"status":"sold"}}' +
        ',\n  {"line":3,"outcome":"rejected","pet":{"name":"Rex","categoryId":4},"error":{"code":"invalid_request","message":"no such category","status":400}}',
    );
    await writer.finish();
    expect(readWritten(stdout)).toBe('\n]\n');
  });

  it('with --quiet are the ids of all pets added, also after a row that was not', async () => {
    const stdout = new PassThrough();
    const { writer } = open(stdout, 'table', true);
    for (const result of [reject(2), added, reject(3), added]) await writer.add(result);
    await writer.finish();
    expect(readWritten(stdout)).toBe('1\n1\n');
  });

  it.each(['json', 'ndjson', 'csv', 'table'] as const)(
    'that nobody reads any more do not stop it, as %s',
    async (format) => {
      const stdout = new PassThrough();
      stdout.destroy();
      const { writer } = open(stdout, format);
      await writer.add(reject(2));
      await writer.add(added);
      await writer.finish();
    },
  );

  it('that cannot be written end it', async () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const stdout: OutputStream = { write: (_, done) => done(full), on: () => {} };
    const { writer } = open(stdout, 'ndjson');
    await expect(writer.add(added)).rejects.toThrow('Output could not be written: no space');
  });
});

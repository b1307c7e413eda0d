import { describe, expect, it } from 'vitest';
import type { OutputFormat } from '../../src/output-formats.ts';
import { createWriter, type RowLayout } from '../../src/terminal/formats.ts';
import { openTestTerminal, type TestTerminalOptions } from './open-test-terminal.ts';

interface Row {
  readonly id: bigint;
  readonly name: string;
  readonly status?: string;
}

const rowLayout: RowLayout<Row> = {
  columns: [
    { name: 'id', value: ({ id }) => id, align: 'right' },
    { name: 'name', value: ({ name }) => name, isShortened: true },
    { name: 'status', value: ({ status }) => status },
  ],
  whenEmpty: 'No rows.',
};
const rows: readonly Row[] = [
  { id: 9223372036854775807n, name: 'Rex, "the" dog', status: 'sold' },
  { id: 2n, name: 'a\u202eb' },
];

async function write(
  format: OutputFormat,
  batches: readonly (readonly Row[])[] = [rows],
  options: TestTerminalOptions & { fields?: string[]; stringIds?: boolean } = {},
) {
  const { fields, stringIds, ...screen } = options;
  const { terminal, stdout, stderr } = openTestTerminal({ ...screen, format });
  await createWriter(terminal, rowLayout, { fields, stringIds }).writeRows(batches);
  return { stdout: stdout(), stderr: stderr() };
}

describe('each format writes rows in its own way', () => {
  it.each<[OutputFormat, string]>([
    [
      'table',
      [
        '                 ID  NAME            STATUS',
        '9223372036854775807  Rex, "the" dog  sold',
        '                  2  a<U+202E>b      -',
        '',
      ].join('\n'),
    ],
    [
      'json',
      [
        '[',
        String.raw`  {"id":9223372036854775807,"name":"Rex, \"the\" dog","status":"sold"},`,
        String.raw`  {"id":2,"name":"a\u202eb"}`,
        ']',
        '',
      ].join('\n'),
    ],
    [
      'ndjson',
      [
        String.raw`{"id":9223372036854775807,"name":"Rex, \"the\" dog","status":"sold"}`,
        String.raw`{"id":2,"name":"a\u202eb"}`,
        '',
      ].join('\n'),
    ],
    ['csv', 'id,name,status\n9223372036854775807,"Rex, ""the"" dog",sold\n2,a\u202eb,\n'],
    ['ids', '9223372036854775807\n2\n'],
  ])('%s', async (format, text) => {
    expect((await write(format)).stdout).toBe(text);
  });

  it.each<[OutputFormat, string]>([
    ['table', ''],
    ['json', '[]\n'],
    ['ndjson', ''],
    ['csv', 'id,name,status\n'],
    ['ids', ''],
  ])('%s without rows', async (format, text) => {
    expect(await write(format, [])).toEqual({ stdout: text, stderr: '' });
  });
});

it.each([
  [' Rex', '" Rex"'],
  ['Rex ', '"Rex "'],
  ['a\rb', '"a\rb"'],
  ['a\nb', '"a\nb"'],
  ['the dog', 'the dog'],
])('writes the cell %j of CSV so that every reader gets all of it', async (name, cell) => {
  expect((await write('csv', [[{ id: 1n, name }]])).stdout).toBe(`id,name,status\n1,${cell},\n`);
});

it('says on a terminal that a table has no rows', async () => {
  expect(await write('table', [], { width: 80 })).toEqual({ stdout: '', stderr: 'No rows.\n' });
});

it('writes a single row as an object in JSON', async () => {
  const { terminal, stdout } = openTestTerminal({ format: 'json' });
  await createWriter(terminal, rowLayout).writeRow({ id: 2n, name: 'Rex' });
  expect(stdout()).toBe('{"id":2,"name":"Rex"}\n');
});

it('writes the fields that were asked for, in their order', async () => {
  expect((await write('csv', [rows], { fields: ['status', 'id'] })).stdout).toBe(
    'status,id\nsold,9223372036854775807\n,2\n',
  );
});

it('writes ids as ids, whichever fields were asked for', async () => {
  const { stdout } = await write('ids', [rows], { fields: ['name'] });
  expect(stdout).toBe('9223372036854775807\n2\n');
});

it('refuses a field that the rows do not have', () => {
  const { terminal } = openTestTerminal();
  expect(() => createWriter(terminal, rowLayout, { fields: ['nme'] })).toThrow(
    'There is no field "nme".',
  );
});

it('writes int64 as JSON strings where that was asked for', async () => {
  expect((await write('ndjson', [rows.slice(0, 1)], { stringIds: true })).stdout).toContain(
    '"id":"9223372036854775807"',
  );
});

it.each<[OutputFormat, string]>([
  ['ndjson', '{"id":1,"name":"first"}\n'],
  ['csv', 'id,name,status\n1,first,\n'],
  ['ids', '1\n'],
  ['json', ''],
  ['table', ''],
])('%s has written %j when the list breaks off', async (format, text) => {
  const { terminal, stdout } = openTestTerminal({ format });
  async function* breakOff() {
    yield [{ id: 1n, name: 'first' }];
    throw new Error('broken off');
  }
  await expect(createWriter(terminal, rowLayout).writeRows(breakOff())).rejects.toThrow(
    'broken off',
  );
  expect(stdout()).toBe(text);
});

it('shows no invisible character of CSV on a terminal', async () => {
  expect((await write('csv', [rows], { width: 80 })).stdout).toContain('a<U+202E>b');
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputFormats } from '../../../src/contract/output-formats.ts';
import type { RecordOptions, RecordSheet } from '../../../src/terminal/records/record-sheet.ts';
import type { TerminalOptions } from '../../../src/terminal/terminal.ts';
import { anyCharacter } from '../../support/arbitraries.ts';
import { openRecords } from '../../support/open-records.ts';

type Toy = { id: bigint; name: string; tags?: readonly string[]; note: string | null };

const sheet: RecordSheet<Toy> = {
  columns: [
    { name: 'id', heading: 'ID', align: 'right' },
    { name: 'note', heading: 'NOTE' },
    { name: 'name', heading: 'NAME', show: ({ name }) => name.toUpperCase() },
    { name: 'tags' },
  ],
  id: ({ id }) => id,
  emptyNotice: 'No toys found.',
};

const toys: Toy[] = [
  { id: 9223372036854775807n, name: 'Ball', note: null, tags: ['round', 'red'] },
  { id: -1n, name: 'a "mouse"', note: 'squeaks, often' },
];

type Options = RecordOptions & Partial<TerminalOptions>;

async function write(batches: readonly (readonly Toy[])[], options: Options = {}) {
  const writer = openRecords(sheet, options);
  for (const batch of batches) await writer.add(batch);
  const early = writer.text();
  await writer.finish();
  return { early, text: early + writer.text(), errorText: writer.errorText() };
}

describe('records', () => {
  it.each([
    [
      'table',
      '                 ID  NOTE            NAME\n9223372036854775807  -               BALL\n                 -1  squeaks, often  A "MOUSE"\n',
    ],
    [
      'json',
      '[\n  {"id":9223372036854775807,"name":"Ball","note":null,"tags":["round","red"]},\n  {"id":-1,"name":"a \\"mouse\\"","note":"squeaks, often"}\n]\n',
    ],
    [
      'ndjson',
      '{"id":9223372036854775807,"name":"Ball","note":null,"tags":["round","red"]}\n{"id":-1,"name":"a \\"mouse\\"","note":"squeaks, often"}\n',
    ],
    [
      'csv',
      'id,note,name,tags\n9223372036854775807,,Ball,"[""round"",""red""]"\n-1,"squeaks, often","a ""mouse""",\n',
    ],
  ] as const)('are written whole as %s', async (format, text) => {
    expect((await write([toys], { format })).text).toBe(text);
  });

  it.each(outputFormats)('are the same in one batch and in several as %s', async (format) => {
    const whole = await write([toys], { format });
    const [first = [], second = []] = toys.map((toy) => [toy]);
    expect((await write([[], first, [], second], { format })).text).toBe(whole.text);
  });

  it.each([
    ['table', '', 'No toys found.\n'],
    ['json', '[]\n', ''],
    ['ndjson', '', ''],
    ['csv', 'id,note,name,tags\n', ''],
  ] as const)('that are none are an empty document as %s', async (format, text, errorText) => {
    expect(await write([], { format })).toEqual({ early: '', text, errorText });
  });

  it.each([
    ['ndjson', true],
    ['csv', true],
    ['json', false],
    ['table', false],
  ] as const)('as %s come as they are added: %s', async (format, isEarly) => {
    const { early, text } = await write([toys], { format });
    expect(early).toBe(isEarly ? text : '');
  });

  it('of a log come as they are added in an array too', async () => {
    const { early, text } = await write([toys], { format: 'json', isLog: true });
    expect(text).toBe(`${early}\n]\n`);
    expect(text).toBe((await write([toys], { format: 'json' })).text);
  });

  it('is an object in JSON where it is the only one', async () => {
    const { text } = await write([toys.slice(1)], { format: 'json', isSingle: true });
    expect(text).toBe('{"id":-1,"name":"a \\"mouse\\"","note":"squeaks, often"}\n');
  });

  it.each([
    [
      'table',
      'NAME                        ID\nBALL       9223372036854775807\nA "MOUSE"                   -1\n',
    ],
    ['ndjson', '{"name":"Ball","id":"9223372036854775807"}\n{"name":"a \\"mouse\\"","id":"-1"}\n'],
    ['csv', 'name,id\nBall,9223372036854775807\n"a ""mouse""",-1\n'],
  ] as const)('have the fields asked for, in that order, as %s', async (format, text) => {
    const options = { format, fields: ['name', 'id'], hasStringIds: true };
    expect((await write([toys], options)).text).toBe(text);
  });

  it('are ids alone with --quiet, whatever the format', async () => {
    for (const format of outputFormats) {
      const { text, errorText } = await write([toys], { format, isQuiet: true });
      expect({ text, errorText }).toEqual({ text: '9223372036854775807\n-1\n', errorText: '' });
    }
  });

  it('hold any text, and nothing that a terminal obeys', async () => {
    const anyText = fc.oneof(fc.string(), fc.string({ unit: anyCharacter }));
    await fc.assert(
      fc.asyncProperty(anyText, async (name) => {
        const toy = { id: 1n, name, note: null, tags: [name] };
        const { text } = await write([[toy]], { format: 'ndjson' });
        expect(JSON.parse(text)).toEqual({ ...toy, id: 1 });
        expect(text.trimEnd()).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});

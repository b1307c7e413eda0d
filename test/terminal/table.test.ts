import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import type { Column } from '../../src/terminal/formats.ts';
import { formatTable } from '../../src/terminal/table.ts';

interface Row {
  readonly id: bigint;
  readonly name: string;
  readonly status: string;
}

const columns: readonly Column<Row>[] = [
  { name: 'id', value: ({ id }) => id, align: 'right' },
  { name: 'name', value: ({ name }) => name, isShortened: true },
  { name: 'status', value: ({ status }) => status, color: () => 'green' },
];
const terminal = { isTerminal: true, hasColor: false, hasEscapes: true, width: 40 };

it('aligns wide characters', () => {
  const names = ['Rex', '金魚', '👩‍👩‍👧', 'e\u0301'];
  const rows = names.map((name) => ({ id: 1n, name, status: 'sold' }));
  const lines = formatTable(columns, rows, terminal).trimEnd().split('\n');
  const starts = lines.map((line) => stringWidth(line.replace(/(sold|STATUS)$/, '')));
  expect(new Set(starts)).toEqual(new Set([starts[0]]));
});

it('shortens the name alone, and only where the terminal is too narrow', () => {
  const rows = [{ id: 9223372036854775807n, name: 'Mrs Whiskers of Baker Street', status: 'sold' }];
  expect(formatTable(columns, rows, terminal).split('\n')[1]).toBe(
    '9223372036854775807  Mrs Whiske…  sold',
  );
  expect(formatTable(columns, rows, { ...terminal, isTerminal: false })).toContain('Baker Street');
});

it('breaks no word where columns do not fit beside one another', () => {
  const rows = [
    {
      id: 9223372036854775807n,
      name: 'Mrs Whiskers of Baker Street',
      status: 'in quarantine, sold',
    },
    { id: 1n, name: 'Rex', status: 'sold' },
  ];
  expect(formatTable(columns, rows, terminal)).toBe(
    [
      '                 ID  NAME\n  STATUS\n',
      '9223372036854775807  Mrs Whi…\n  in quarantine, sold\n',
      '                  1  Rex\n  sold\n',
    ].join(''),
  );
});

it('shortens the widest of several columns first', () => {
  const two = columns.map((column) =>
    column.name === 'status' ? { ...column, isShortened: true } : column,
  );
  const rows = [{ id: 1n, name: 'Mrs Whiskers', status: 'a status of more than thirty letters' }];
  expect(formatTable(two, rows, terminal).split('\n')[1]).toBe(
    ' 1  Mrs Whiskers  a status of more than…',
  );
});

it('never makes a line wider than the terminal, whatever the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (name) => {
      const text = formatTable(columns, [{ id: 7n, name, status: 'available' }], terminal);
      expect(Math.max(...text.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(
        40,
      );
    }),
  );
});

it('colors titles and cells where there is color, and says nothing by it alone', () => {
  const rows = [{ id: 1n, name: 'Rex', status: 'sold' }];
  const colored = formatTable(columns, rows, { ...terminal, hasColor: true });
  expect(colored).toContain('\u001b[32msold\u001b[39m');
  expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(formatTable(columns, rows, terminal));
});

it('writes ten thousand rows in a moment', () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => {
    return { id: BigInt(index), name: `Rex ${index}`, status: 'sold' };
  });
  expect(formatTable(columns, rows, terminal).split('\n')).toHaveLength(10_002);
});

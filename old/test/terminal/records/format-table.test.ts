import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitTable } from '../../../src/terminal/records/format-table.ts';
import { measureWidth } from '../../../src/terminal/text/width.ts';

const columns = [
  { title: 'NAME', align: 'left' as const, overflow: 'fold' as const },
  { title: 'REASON', align: 'left' as const, overflow: 'fold' as const },
  { title: 'URL', align: 'left' as const, overflow: 'fold' as const },
];

function layOut(rows: readonly string[][], width: number | undefined): string[] {
  const cells = rows.map((row) => row.map((text) => ({ text })));
  const terminal = { isTerminal: width !== undefined, columns: () => width ?? 10 };
  return fitTable(columns, cells, (title) => title, terminal).split('\n');
}

const rows = [
  ['staging', 'the keychain is locked, or the key was removed there', 'https://a.example.com/v1'],
  ['production', '-', 'https://b.example.com/v1'],
];

describe('a table for a terminal', () => {
  it('stays as it is where it fits, and in a pipe', () => {
    const whole = layOut(rows, 92);
    expect(whole).toHaveLength(3);
    expect(layOut(rows, undefined)).toEqual(whole);
  });

  it('folds its widest column between words', () => {
    expect(layOut(rows, 70)).toEqual([
      'NAME        REASON                          URL',
      'staging     the keychain is locked, or the  https://a.example.com/v1',
      '            key was removed there',
      'production  -                               https://b.example.com/v1',
    ]);
  });

  it('takes a line for each cell where folding would leave too little, and cuts nothing', () => {
    expect(layOut(rows, 50)).toEqual([
      'NAME    staging',
      'REASON  the keychain is locked, or the key was removed there',
      'URL     https://a.example.com/v1',
      '',
      'NAME    production',
      'REASON  -',
      'URL     https://b.example.com/v1',
    ]);
  });

  it('does not break a word to fold it', () => {
    const path = `/home/ann/${'x'.repeat(60)}`;
    expect(layOut([['staging', path, '-']], 70)[1]).toBe(`REASON  ${path}`);
  });

  it('leaves a few rows too wide for the terminal, rather than take lines for all', () => {
    const path = `/home/ann/${'x'.repeat(60)}`;
    const many = [
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
      ['a', 'b', path],
    ];
    expect(layOut(many, 70)).toEqual([
      'NAME  REASON  URL',
      'a     b       c',
      'a     b       c',
      `a     b       ${path}`,
    ]);
  });

  it('loses no word at any width, and lines up as a table or not at all', () => {
    const sentence = fc
      .array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 9 })
      .map((words) => words.map((word) => word.replaceAll(/[\s\p{C}]/gu, 'x')).join(' '));
    fc.assert(
      fc.property(sentence, fc.integer({ min: 20, max: 120 }), (reason, width) => {
        const lines = layOut([['staging', reason, 'https://a.example.com/v1']], width);
        const words = lines.join(' ').split(' ');
        expect(words).toEqual(expect.arrayContaining(reason.split(' ')));
        if (lines[0]?.startsWith('NAME     ')) {
          expect(Math.max(...lines.map(measureWidth))).toBeLessThanOrEqual(width);
        }
      }),
    );
  });
});

import type { Delimiter } from './csv-columns.ts';

/**
 * The number of the first column, from 1, whose quotes break RFC 4180 (section 2, rules 5 to 7), or undefined.
 * An id as text for Excel, `="17"`, is let through. The parser reads on after such a quote, so that one mistake does not hide the rows behind it.
 */
export function findStrayQuote(raw: string, delimiter: Delimiter): number | undefined {
  const cell = new RegExp(
    `(?:"(?:[^"]|"")*"|="-?\\d+"|[^"${delimiter}\\r\\n]*)(${delimiter}|[\\r\\n]*$)`,
    'y',
  );
  cell.lastIndex = /^[\r\n]*/.exec(raw)?.[0].length ?? 0;
  for (let column = 1; ; column += 1) {
    const match = cell.exec(raw);
    if (match === null) return column;
    if (match[1] !== delimiter) return undefined;
  }
}

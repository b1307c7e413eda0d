import { describe, expect, it } from 'vitest';
import { createStyle } from '../../../src/terminal/text/style.ts';

const mark = (code: number, end: number) => `\u001b[${code}mx\u001b[${end}m`;

describe('marks', () => {
  it('follow the sixteen colors of the reader', () => {
    const { status, next, header, finding } = createStyle(true);
    expect([next('x'), header('x'), finding.warn('x')]).toEqual([
      ...[mark(36, 39), mark(2, 22), mark(33, 39)],
    ]);
    const statuses = (['available', 'pending', 'sold'] as const).map((one) =>
      status(one).replace(/m\w+/, 'mx'),
    );
    expect(statuses).toEqual([mark(32, 39), mark(33, 39), mark(2, 22)]);
  });

  it('are left out without color', () => {
    const { status, danger, finding } = createStyle(false);
    expect([status('sold'), danger('x'), finding.pass('x')]).toEqual(['sold', 'x', 'x']);
  });
});

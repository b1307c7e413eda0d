import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { OutputFormat } from '../../src/contract/output-formats.ts';
import { openProgress } from '../../src/terminal/progress.ts';
import { createTerminal } from '../../src/terminal/terminal.ts';
import { readWritten } from '../support/read-written.ts';

interface Case {
  isTTY?: boolean;
  format?: OutputFormat;
  isQuiet?: boolean;
  columns?: number;
  isAccessible?: boolean;
}

function openCase({
  isTTY = false,
  format = 'table',
  isQuiet = false,
  columns = 80,
  isAccessible = false,
}: Case) {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const terminal = createTerminal({
    ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr },
    ...{ secrets: [], format, color: 'never', columns, isQuiet },
    ...{ verbosity: 0, isUnattended: true, isAccessible },
  });
  let now = 0;
  const progress = openProgress(terminal, () => new Date(now));
  return {
    progress,
    advance(milliseconds: number) {
      now = milliseconds;
    },
    /** Lets time pass, then reports a state of `pets` among a thousand. */
    at(milliseconds: number, done: number, failed = 0) {
      now = milliseconds;
      progress.update({ label: 'pets', done, total: 1000, failed });
    },
    text: () => readWritten(stderr),
  };
}

describe('progress', () => {
  it('redraws one line on a terminal, at most ten times a second, and leaves it whole', () => {
    const { progress, at, text } = openCase({ isTTY: true });
    at(0, 0);
    at(50, 1);
    at(99, 2);
    expect(text()).toBe('');
    at(1000, 250);
    expect(text()).toBe(
      '\r\u001b[K████████░░░░░░░░░░░░░░░░░░░░░░  pets: 250 of 1,000, 250/s, 3s left',
    );
    at(1050, 300);
    at(2000, 1000);
    progress.end();
    expect(text()).toBe(`\r\u001b[K${'█'.repeat(30)}  pets: 1,000 of 1,000, 500/s\n`);
  });

  it.each([20, 30, 40, 60])('stays on one line of a terminal of %i columns', (columns) => {
    const { at, text } = openCase({ isTTY: true, columns });
    at(0, 0);
    at(1000, 250, 3);
    expect([...text().replace('\r\u001b[K', '')].length).toBeLessThan(columns);
  });

  it('prints a line every five seconds where there is no terminal', () => {
    const { progress, at, text } = openCase({});
    for (let second = 0; second <= 11; second += 1)
      at(second * 1000, second * 10, second > 9 ? 2 : 0);
    progress.end();
    expect(text()).toBe(
      [
        'pets: 50 of 1,000, 10/s, 1m 35s left',
        'pets: 100 of 1,000, 2 failed, 10/s, 1m 30s left',
        'pets: 110 of 1,000, 2 failed, 10/s, 1m 29s left',
        '',
      ].join('\n'),
    );
  });

  it('prints whole lines on a terminal for a screen reader', () => {
    const { progress, at, text } = openCase({ isTTY: true, isAccessible: true });
    at(0, 0);
    at(1000, 10);
    at(5000, 50);
    progress.end();
    expect(text()).toBe('pets: 50 of 1,000, 10/s, 1m 35s left\n');
  });

  it('says nothing of a job that is over at once, unless somebody watches', () => {
    const { progress, at, text } = openCase({});
    at(0, 1000);
    progress.end();
    expect(text()).toBe('');
  });

  it('counts as speed only what was done since it began', () => {
    const { at, text } = openCase({});
    at(0, 900);
    at(5000, 950);
    expect(text()).toBe('pets: 950 of 1,000, 10/s, 5s left\n');
  });

  it('writes JSON lines with a machine format', () => {
    const { at, text } = openCase({ format: 'ndjson', isTTY: true });
    at(0, 0);
    at(5000, 50);
    expect(JSON.parse(text())).toEqual({
      ...{ type: 'progress', message: 'pets: 50 of 1,000', label: 'pets', done: 50, total: 1000 },
      ...{ failed: 0, rate: 10, secondsLeft: 95 },
    });
  });

  it('is silent with --quiet', () => {
    const { progress, at, text } = openCase({ isQuiet: true, isTTY: true });
    at(0, 0);
    at(9000, 50);
    progress.end();
    expect(text()).toBe('');
  });

  it.each([
    { isTTY: true, shown: '\r\u001b[KPets read: 1,300, 2 found, 650/s\r\u001b[K' },
    { isTTY: false, shown: '' },
  ])('of what nobody knows the length of, the line is removed at the end: $isTTY', (given) => {
    const { progress, text, advance } = openCase({ isTTY: given.isTTY });
    for (const [ms, done] of [
      [0, 0],
      [2000, 1300],
      [2050, 1400],
    ] as const) {
      advance(ms);
      progress.update({ label: 'Pets read', done, found: 2 });
    }
    progress.end();
    expect(text()).toBe(given.shown);
  });
});

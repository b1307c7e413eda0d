import { describe, expect, it, onTestFinished } from 'vitest';
import type { RowOutcome, Staging } from '../../../src/import/staging/staging.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { describeSubject, openTestImports, startImport } from '../staged.ts';

const ROWS = 10;
const added: RowOutcome = { kind: 'added', pet: { id: 1n, name: 'Pet', categoryId: 1n } };
const first = new Date('2026-01-01T00:00:00Z');
const later = new Date(first.getTime() + 60_000);
const evenLater = new Date(later.getTime() + 1);

/** One import whose runs follow each other: `work` is done by one of them. */
async function openRuns() {
  const imports = openTestImports(await makeFolder());
  startImport(imports, ROWS).staging.close();
  return <Result>(work: (staging: Staging) => Result): Result => {
    const staging = imports.open(describeSubject('abc', ROWS).id)?.staging;
    if (staging === undefined) throw new Error('nothing is staged');
    try {
      return work(staging);
    } finally {
      staging.close();
    }
  };
}

/** Rows that cannot be sent again when the keys of what was sent before this time are forgotten. */
function giveUp(before: Date) {
  return (staging: Staging): number[] => {
    staging.giveUp(before, 'too late');
    return [...staging.readOthers()].map(({ row }) => row.number);
  };
}

function add(staging: Staging, ...numbers: number[]): void {
  const rows = staging.readUnsent(0).filter(({ number }) => numbers.includes(number));
  staging.record(rows.map((row) => ({ row, outcome: added })));
}

describe('rows that may have been sent', () => {
  it('are those announced before that time without an outcome', async () => {
    const run = await openRuns();
    run((staging) => {
      staging.record([], { upTo: 4, at: first });
      add(staging, 1, 3);
      staging.record([], { upTo: 8, at: later });
    });
    expect(run(giveUp(first))).toEqual([]);
    expect(run(giveUp(later))).toEqual([2, 4]);
    const unsent = run((staging) => staging.readUnsent(0).map(({ number }) => number));
    expect(unsent).toEqual([5, 6, 7, 8, 9, 10]);
  });

  it('are those since their first announcement, however often they were announced', async () => {
    const run = await openRuns();
    for (const at of [first, later]) run((staging) => staging.record([], { upTo: 4, at }));
    expect(run(giveUp(later))).toEqual([1, 2, 3, 4]);
  });

  it('are none beyond the last one that was sent before a stop', async () => {
    const run = await openRuns();
    run((staging) => {
      staging.record([], { upTo: 4, at: first });
      staging.record([], { upTo: 8, at: later });
      staging.retract(5);
    });
    expect(run(giveUp(later))).toEqual([1, 2, 3, 4]);
    expect(run(giveUp(evenLater))).toEqual([1, 2, 3, 4, 5]);
  });

  it('are none when the stop came before the first one', async () => {
    const run = await openRuns();
    run((staging) => {
      staging.record([], { upTo: 8, at: first });
      staging.retract(0);
    });
    expect(run(giveUp(later))).toEqual([]);
  });

  it('stay those of an earlier run, whatever a later one takes back', async () => {
    const run = await openRuns();
    run((staging) => staging.record([], { upTo: 8, at: first }));
    run((staging) => {
      staging.record([], { upTo: 10, at: later });
      staging.retract(1);
    });
    expect(run(giveUp(evenLater))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('staged rows', () => {
  it('come in pages, in their order', async () => {
    const { staging } = startImport(openTestImports(await makeFolder()), 1_234);
    onTestFinished(staging.close);
    const numbers: number[] = [];
    for (let page = staging.readUnsent(0); page.length > 0; ) {
      numbers.push(...page.map(({ number }) => number));
      page = staging.readUnsent(numbers.at(-1) ?? 0);
    }
    expect(numbers).toEqual(Array.from({ length: 1_234 }, (_, index) => index + 1));
  });

  it('have one outcome: a second one is refused, and nothing of its batch is stored', async () => {
    const run = await openRuns();
    run((staging) => {
      const both = staging.readUnsent(0).slice(0, 2);
      staging.record(both.slice(0, 1).map((row) => ({ row, outcome: added })));
      const batch = both.reverse().map((row) => ({ row, outcome: added }));
      expect(() => staging.record(batch)).toThrow();
      expect(staging.countOutcomes()).toEqual({ added: 1, rejected: 0, unknown: 0 });
    });
  });
});

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openStaging, type RowOutcome, type Staging } from '../../../src/import/staging/staging.ts';
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

  it('are all of them when the announcement goes beyond the last one', async () => {
    const run = await openRuns();
    run((staging) => staging.record([], { upTo: ROWS + 1, at: first }));
    expect(run(giveUp(later))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
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

describe('what is kept of an import', () => {
  const rejected = { kind: 'rejected', status: 400, code: 'full', message: 'no' } as const;

  it('is the format and first line of its file, and the rows that were not added', async () => {
    const run = await openRuns();
    run((staging) => {
      const [one, two] = staging.readUnsent(0);
      if (one === undefined || two === undefined) throw new Error('nothing is staged');
      staging.record([
        { row: one, outcome: added },
        { row: two, outcome: rejected },
      ]);
      staging.removeAdded();
    });
    run((staging) => {
      expect(staging).toMatchObject({ format: 'csv', header: 'name,categoryId' });
      expect(staging.countOutcomes()).toEqual({ added: 0, rejected: 1, unknown: 0 });
      expect(staging.readUnsent(0)[0]?.number).toBe(3);
      const others = [...staging.readOthers()];
      expect(others).toMatchObject([{ row: { number: 2, source: 'Pet 2,1' }, outcome: rejected }]);
    });
  });

  it('is which rejects file was written last', async () => {
    const run = await openRuns();
    expect(run((staging) => staging.findRejectsHash())).toBeUndefined();
    for (const hash of ['abc', 'def']) {
      run((staging) => staging.keepRejectsHash(hash));
      expect(run((staging) => staging.findRejectsHash())).toBe(hash);
    }
  });

  it('is said of a file that is damaged', async () => {
    const file = path.join(await makeFolder(), 'abc.staging');
    await writeFile(file, 'neither rows nor outcomes'.repeat(100));
    expect(() => openStaging(file)).toThrow(
      expect.objectContaining({
        details: [
          'it holds the rows of one import and what became of them; without it that import cannot be resumed',
        ],
      }),
    );
  });
});

describe('whatever runs come and however they end', () => {
  const runs = fc.array(
    fc.record({
      /** Rows per announcement. */
      page: fc.integer({ min: 1, max: 5 }),
      /** How many rows are sent before it ends. */
      sends: fc.integer({ min: 0, max: ROWS }),
      /** Which of the sent rows end, and how. */
      ends: fc.array(fc.constantFrom('added', 'rejected', undefined), {
        minLength: ROWS,
        maxLength: ROWS,
      }),
      isKilled: fc.boolean(),
    }),
    { maxLength: 5 },
  );
  const rejected = { kind: 'rejected', status: 400, code: 'full', message: 'no' } as const;

  it('a row ends once, and none that may have been sent is sent again when its key is forgotten', async () => {
    const property = fc.asyncProperty(runs, fc.nat(20), async (plan, forgotten) => {
      const run = await openRuns();
      let minute = 0;
      const now = () => new Date(first.getTime() + minute * 60_000);
      const sentAt = new Map<number, Date>();
      const ended = new Set<number>();
      let announced = 0;
      for (const { page, sends, ends, isKilled } of plan) {
        run((staging) => {
          const unsent = staging.readUnsent(0);
          expect(unsent.map(({ number }) => number)).toEqual(
            Array.from({ length: ROWS }, (_, row) => row + 1).filter((row) => !ended.has(row)),
          );
          unsent.slice(0, sends).forEach((row, index) => {
            if (index % page === 0) {
              minute += 1;
              const upTo = unsent[Math.min(index + page, unsent.length) - 1]?.number ?? 0;
              staging.record([], { upTo, at: now() });
              announced = Math.max(announced, upTo);
            }
            if (!sentAt.has(row.number)) sentAt.set(row.number, now());
            const end = ends[index];
            if (end === undefined) return;
            staging.record([{ row, outcome: end === 'added' ? added : rejected }]);
            ended.add(row.number);
          });
          if (!isKilled) staging.retract(unsent[Math.min(sends, unsent.length) - 1]?.number ?? 0);
        });
      }
      const before = new Date(first.getTime() + forgotten * 60_000);
      run((staging) => {
        const counts = staging.countOutcomes();
        expect(counts.added + counts.rejected).toBe(ended.size);
        staging.giveUp(before, 'too late');
        const left = staging.readUnsent(0).map(({ number }) => number);
        for (const [row, at] of sentAt) if (at < before) expect(left).not.toContain(row);
        // What was never announced is surely not there yet.
        for (let row = announced + 1; row <= ROWS; row += 1) expect(left).toContain(row);
        expect(counts.added).toBe(staging.countOutcomes().added);
      });
    });
    await fc.assert(property, { numRuns: 30 });
  });
});

describe('staged rows', () => {
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

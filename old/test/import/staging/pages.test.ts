import { describe, expect, it, onTestFinished } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../../src/contract/int64.ts';
import type { NewPet } from '../../../src/contract/pet.ts';
import { createDraft } from '../../../src/import/staging/draft.ts';
import {
  openStaging,
  openStagingDatabase,
  type RowOutcome,
} from '../../../src/import/staging/staging.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { createRows, openTestImports, startImport } from '../staged.ts';

const added: RowOutcome = { kind: 'added', pet: { id: 1n, name: 'Pet', categoryId: 1n } };
const first = new Date('2026-01-01T00:00:00Z');
const later = new Date(first.getTime() + 60_000);

describe('staged rows', () => {
  /** More than one page. */
  async function stageMany() {
    const { staging } = startImport(openTestImports(await makeFolder()), 1_234);
    onTestFinished(staging.close);
    return staging;
  }

  it('come in pages, in their order', async () => {
    const staging = await stageMany();
    const numbers: number[] = [];
    for (let page = staging.readUnsent(0); page.length > 0; ) {
      numbers.push(...page.map(({ number }) => number));
      page = staging.readUnsent(numbers.at(-1) ?? 0);
    }
    expect(numbers).toEqual(Array.from({ length: 1_234 }, (_, index) => index + 1));
  });

  it('come back as they were read', async () => {
    const draft = createDraft(await makeFolder());
    const pets: NewPet[] = [
      { name: 'Rex', categoryId: INT64_MAX },
      { name: ' "Mia"\\ \u2028😀,', categoryId: INT64_MIN, status: 'sold' },
      { name: '0', categoryId: 0n, status: 'available' },
    ];
    const rows = pets.map((pet, index) => ({
      ...{ number: index + 1, line: 2 * index + 2, source: `"${pet.name}";\t${pet.categoryId}` },
      pet,
    }));
    for (const row of rows) draft.add(row);
    draft.complete({ format: 'csv', header: 'name,categoryId' });
    draft.close();
    const staging = openStaging(draft.path);
    onTestFinished(staging.close);
    expect(staging.readUnsent(0)).toEqual(rows);
    expect(staging.readUnsent(0).map(({ pet }) => Object.keys(pet).length)).toEqual([2, 3, 3]);
    staging.record([{ row: staging.readUnsent(2)[0] ?? expect.unreachable(), outcome: added }]);
    staging.removeAdded();
    expect(staging.readUnsent(0)).toEqual(rows.slice(0, 2));
  });

  it('that are left are found wherever they are, and kept when the others are forgotten', async () => {
    const staging = await stageMany();
    const left = [700, 1_200];
    for (let page = staging.readUnsent(0); page.length > 0; ) {
      const ended = page.filter(({ number }) => !left.includes(number));
      staging.record(ended.map((row) => ({ row, outcome: added })));
      page = staging.readUnsent(page.at(-1)?.number ?? 0);
    }
    const readLeft = () =>
      [0, 700].flatMap((after) => staging.readUnsent(after)).map(({ source }) => source);
    expect(readLeft()).toEqual(['Pet 700,6', 'Pet 1200,2']);
    staging.removeAdded();
    expect(staging.countOutcomes().added).toBe(0);
    expect(readLeft()).toEqual(['Pet 700,6', 'Pet 1200,2']);
  });

  it('that ended otherwise than added are all read, in their order, page after page', async () => {
    const staging = await stageMany();
    staging.record([], { upTo: 1_234, at: first });
    staging.giveUp(later, 'too late');
    const numbers = [...staging.readOthers()].map(({ row }) => row.number);
    expect(numbers).toEqual(Array.from({ length: 1_234 }, (_, index) => index + 1));
  });

  it('are held in memory few at a time when they are long', async () => {
    const draft = createDraft(await makeFolder());
    const source = 'x'.repeat(127 * 1024);
    for (const row of createRows(10)) draft.add({ ...row, source });
    draft.complete({ format: 'csv', header: 'name,categoryId' });
    draft.close();
    const staging = openStaging(draft.path);
    onTestFinished(staging.close);
    const pages: number[] = [];
    for (let page = staging.readUnsent(0); page.length > 0; ) {
      pages.push(page.length);
      page = staging.readUnsent(page.at(-1)?.number ?? 0);
    }
    expect(pages).toEqual([3, 3, 3, 1]);
  });

  it('are looked at to be given up no further than the last one that was announced', async () => {
    const draft = createDraft(await makeFolder());
    for (const row of createRows(1_234)) draft.add(row);
    draft.complete({ format: 'csv', header: 'name,categoryId' });
    draft.close();
    const database = openStagingDatabase(draft.path);
    // Whoever looks at one of these rows fails.
    database.exec(`UPDATE groups SET rows = 'unreadable' WHERE last > 1000`);
    database.close();
    const staging = openStaging(draft.path);
    onTestFinished(staging.close);
    const giveUp = () => {
      staging.giveUp(later, 'too late');
      return staging.countOutcomes().unknown;
    };
    expect(giveUp()).toBe(0);
    staging.record([], { upTo: 700, at: first });
    expect(giveUp()).toBe(700);
  });
});

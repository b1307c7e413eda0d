import { describe, expect, it, onTestFinished } from 'vitest';
import type { RowOutcome } from '../../../src/import/staging/staging.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { openTestImports, startImport } from '../staged.ts';

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
});

import { cpSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../../support/make-folder.ts';
import { startService } from '../../support/service.ts';
import { describeSubject, openTestImports } from '../staged.ts';
import { listNames, nameRows, run, setUp, startOther } from './desk.ts';

describe('rows that may have been sent before a crash', () => {
  const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
  const daysLater = (days: number) => new Date(longAgo.getTime() + days * 24 * 60 * 60 * 1000);

  /** Rows 1 and 2 of 3 were announced eight days ago, and the first of them arrived. */
  async function crashLongAgo() {
    const service = await startService({ pets: [{ name: 'Pet 1', categoryId: 0n }] });
    onTestFinished(service.close);
    const desk = await setUp(service.url, service.key, 3);
    const staging = desk.imports.open(describeSubject('abc', 3).id)?.staging;
    staging?.record([], { upTo: 2, at: longAgo });
    staging?.close();
    return desk;
  }

  it('are reported as unknown and not sent once the service may have forgotten their keys; rows never sent are sent', async () => {
    const desk = await crashLongAgo();
    const resumed = await run(desk);
    expect(resumed).toMatchObject({ isComplete: true, counts: { added: 1, unknown: 2 } });
    const reason =
      'sent earlier, response lost; the service no longer recognizes its idempotency key';
    for (const row of [1, 2])
      expect(resumed.outcomes.get(row)).toEqual({ kind: 'unknown', reason });
    expect(resumed.outcomes.get(3)).toMatchObject({ kind: 'added' });
    expect(await listNames(desk.client)).toEqual(['Pet 1', 'Pet 3']);
  });

  it('are reported as unknown where the service recognizes no key', async () => {
    const resumed = await run(await crashLongAgo(), { honorsKeys: false });
    const reason =
      'sent earlier, response lost; the service does not recognize its idempotency key';
    for (const row of [1, 2])
      expect(resumed.outcomes.get(row)).toEqual({ kind: 'unknown', reason });
  });

  it.each([
    ['an hour and a minute before the end of the promise', 7 - 61 / 1440, 3],
    ['an hour before the end of the promise less a minute', 7 - 59 / 1440, 1],
  ])('are sent again or not: %s', async (_, days, added) => {
    const desk = await crashLongAgo();
    const resumed = await run(desk, { now: daysLater(days) });
    expect(resumed).toMatchObject({ isComplete: true, counts: { added } });
  });

  it.each([
    ['a moment', 60_000, 3],
    ['a day', 24 * 60 * 60_000, 1],
  ])('by a clock that was ahead by %s are sent again or not', async (_, ahead, added) => {
    const desk = await crashLongAgo();
    const resumed = await run(desk, { now: new Date(longAgo.getTime() - ahead) });
    expect(resumed).toMatchObject({ isComplete: true, counts: { added } });
  });

  it('while keys were not honored are not sent again when they are honored later', async () => {
    const other = await startOther(() => 'added');
    const desk = await setUp(other.url, 'key', 3);
    const copy = await makeFolder();
    const { createPet } = desk.client;
    const client = {
      ...desk.client,
      createPet(...words: Parameters<typeof createPet>) {
        cpSync(desk.folder, copy, { recursive: true });
        return createPet(...words);
      },
    };
    await run({ ...desk, client }, { honorsKeys: false, concurrency: 1 });
    const resumed = await run({ ...desk, imports: openTestImports(copy) });
    expect(resumed.counts.unknown).toBeGreaterThan(0);
    expect(other.sent.sort()).toEqual(nameRows(3));
  });

  it('are reported as unknown at once where keys are not honored', async () => {
    const desk = await crashLongAgo();
    const resumed = await run(desk, { now: daysLater(0), honorsKeys: false });
    expect(resumed.counts).toEqual({ added: 1, rejected: 0, unknown: 2 });
    expect(await listNames(desk.client)).toEqual(['Pet 1', 'Pet 3']);
  });
});

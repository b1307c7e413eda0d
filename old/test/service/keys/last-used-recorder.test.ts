import { expect, it, onTestFinished } from 'vitest';
import { createLastUsedRecorder } from '../../../src/service/keys/last-used-recorder.ts';
import { createLog } from '../../../src/service/monitoring/log.ts';
import { openStore } from '../../../src/service/storage/databases.ts';
import type { KeyUse } from '../../../src/service/storage/store.ts';

const at = new Date('2026-11-20T12:00:00Z');
const later = new Date('2026-11-20T12:01:00Z');

/** A real store whose first write waits until it is let go, and fails then if told to. */
async function open() {
  const store = await openStore('sqlite::memory:');
  onTestFinished(store.close);
  const { id } = await store.createKey({ hash: new Uint8Array(32), name: 'till', createdAt: at });
  let letGo: (error?: Error) => void = () => {};
  const first = new Promise<void>((resolve, reject) => {
    letGo = (error) => (error ? reject(error) : resolve());
  });
  const writes: (readonly KeyUse[])[] = [];
  const recordKeyUses = async (uses: readonly KeyUse[]) => {
    if (writes.push(uses) === 1) await first;
    await store.recordKeyUses(uses);
  };
  const lines: string[] = [];
  const recorder = createLastUsedRecorder(
    { recordKeyUses },
    createLog((line) => lines.push(line), 'warn'),
  );
  const findLastUse = async () => (await store.listKeys())[0]?.lastUsedAt;
  return { ...recorder, id, letGo: (error?: Error) => letGo(error), findLastUse, writes, lines };
}

it('a flush while stopping ends after one that still runs', async () => {
  const { note, flush, id, letGo, findLastUse } = await open();
  note(id, at);
  void flush();
  const stopping = flush().then(findLastUse);
  letGo();
  expect(await stopping).toEqual(at);
});

it('what is noted while a flush runs is written by the next one', async () => {
  const { note, flush, id, letGo, findLastUse } = await open();
  note(id, at);
  const running = flush();
  await Promise.resolve();
  note(id, later);
  letGo();
  await running;
  await flush();
  expect(await findLastUse()).toEqual(later);
});

it('what is written is not written again', async () => {
  const { note, flush, id, letGo, writes } = await open();
  note(id, at);
  letGo();
  await flush();
  await flush();
  expect(writes).toEqual([[{ id, at }]]);
});

it('what could not be written does not fail a service that logs nothing', async () => {
  const log = createLog(() => {}, 'silent');
  const recordKeyUses = () => Promise.reject(new Error('the disk is full'));
  const { note, flush } = createLastUsedRecorder({ recordKeyUses }, log);
  note(1n, at);
  await expect(flush()).resolves.toBeUndefined();
});

it('what could not be written is logged, and written by the next flush', async () => {
  const { note, flush, id, letGo, findLastUse, lines } = await open();
  note(id, at);
  const failing = flush();
  letGo(new Error('the disk is full'));
  await failing;
  expect(await findLastUse()).toBeUndefined();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      ...{ time: expect.any(String), level: 'warn', reason: 'Error: the disk is full' },
      message: 'the last uses of keys could not be written',
    },
  ]);
  await flush();
  expect(await findLastUse()).toEqual(at);
});

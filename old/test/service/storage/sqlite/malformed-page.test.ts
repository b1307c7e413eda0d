import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../../../src/service/monitoring/log.ts';
import { openReadiness } from '../../../../src/service/monitoring/readiness.ts';
import { openStore } from '../../../../src/service/storage/databases.ts';
import { StoreMalformedError } from '../../../../src/service/storage/store.ts';
import { makeFolder } from '../../../support/make-folder.ts';

const rex = { pet: { name: 'Rex', categoryId: 7n, status: 'available' } } as const;

/** Long, so that few of them fill a page, and after the random ones that the service tries. */
const keyOf = (index: number) => `${'z'.repeat(180)}-${index}`;

/** A database in which the page with the last of its idempotency keys is damaged. */
async function createDamagedDatabase(): Promise<string> {
  const file = path.join(await makeFolder(), 'petstore.db');
  const store = await openStore(`sqlite:${file}`);
  const additions = Array.from({ length: 100 }, (_, index) => ({
    ...rex,
    idempotencyKey: keyOf(100 + index),
  }));
  await store.addPets(additions, new Date());
  await store.close();
  const bytes = await readFile(file);
  const pageSize = bytes.readUInt16BE(16);
  const start = Math.floor(bytes.lastIndexOf(keyOf(199)) / pageSize) * pageSize;
  await writeFile(file, bytes.fill(0xa5, start, start + pageSize));
  return `sqlite:${file}`;
}

it('a damaged page that only some adds need ends readiness for good, as no trial of a write finds it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const store = await openStore(await createDamagedDatabase());
  const tryWrite = vi.fn(store.tryWrite);
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), 'info');
  const readiness = openReadiness({ ...store, tryWrite }, log);
  onTestFinished(async () => {
    readiness.close();
    await store.close();
  });
  readiness.startServing();
  const add = (idempotencyKey?: string) =>
    readiness.store.addPets([{ ...rex, idempotencyKey }], new Date());
  await add();
  expect(readiness.obstacle).toBeUndefined();
  await expect(add(keyOf(200))).rejects.toThrow(StoreMalformedError);
  const reason = 'the database cannot be used: it is damaged: restore a backup';
  expect(readiness.obstacle).toBe(reason);
  await store.tryWrite();
  for (let second = 0; second < 3; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    await add();
    expect(readiness.obstacle).toBe(reason);
  }
  expect(tryWrite).not.toHaveBeenCalled();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', message: 'not ready', reason },
  ]);
});

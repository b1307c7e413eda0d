import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../../../../src/service/storage/sqlite/open-sqlite-store.ts';
import { openWriterThread } from '../../../../../src/service/storage/sqlite/writer/writer-thread.ts';
import { StoreUnavailableError } from '../../../../../src/service/storage/store.ts';
import { makeFolder } from '../../../../support/make-folder.ts';
import { within } from '../../../../support/within.ts';

it('a writer thread that has ended refuses writes, and can be closed', async () => {
  const file = path.join(await makeFolder(), 'petstore.db');
  const store = await openSqliteStore(file);
  await store.close();
  const started = new Promise<Worker>((resolve) => process.once('worker', resolve));
  const writer = await openWriterThread(file);
  await (await started).terminate();
  await expect(within(writer.tryWrite(), 'a write is refused')).rejects.toThrow(
    StoreUnavailableError,
  );
  await within(writer.close(), 'it is closed');
});

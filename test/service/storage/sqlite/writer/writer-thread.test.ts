import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../../../src/service/storage/sqlite/connection/open-database.ts';
import { toAdditionRow } from '../../../../../src/service/storage/sqlite/writer/batch-rows.ts';
import { openWriterThread } from '../../../../../src/service/storage/sqlite/writer/writer-thread.ts';
import {
  StoreOutcomeUnknownError,
  StoreUnavailableError,
} from '../../../../../src/service/storage/store.ts';
import { makeFolder } from '../../../../support/make-folder.ts';
import { within } from '../../../../support/within.ts';

/** A writer on a database of its own, and its thread. */
async function openWriter() {
  const file = path.join(await makeFolder(), 'petstore.db');
  openDatabase(file).close();
  const started = new Promise<Worker>((resolve) => process.once('worker', resolve));
  const writer = await openWriterThread(file);
  const worker = await started;
  onTestFinished(() => void worker.terminate());
  return { writer, worker };
}

it('a writer thread that has ended refuses writes, and can be closed', async () => {
  const { writer, worker } = await openWriter();
  await worker.terminate();
  const refused = within(writer.tryWrite(), 'a write is refused');
  await expect(refused).rejects.toThrow(StoreUnavailableError);
  await expect(refused).rejects.toThrow('the writer thread has ended');
  await within(writer.close(), 'it is closed');
});

it('what it was writing when it ended may be stored or not', async () => {
  const { writer, worker } = await openWriter();
  const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
  const rows = Array.from({ length: 20_000 }, () => toAdditionRow({ pet }));
  const adding = writer.addPets(rows, new Date()).catch((error: unknown) => error);
  await nextTurn();
  await worker.terminate();
  const error = await within(adding, 'the write that was running fails');
  expect(error).toBeInstanceOf(StoreOutcomeUnknownError);
  expect(error).toMatchObject({ message: 'the writer thread ended meanwhile' });
});

it('an error that ended it is the cause of what it refuses', async () => {
  const { writer, worker } = await openWriter();
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  // No call of a method, on which it fails.
  worker.postMessage(undefined);
  await within(ended, 'the thread ends');
  await expect(writer.tryWrite()).rejects.toMatchObject({ cause: expect.any(TypeError) });
});

it('a writer that is closed has ended its thread', async () => {
  const { writer, worker } = await openWriter();
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  await within(writer.close(), 'it is closed');
  await within(ended, 'its thread ends');
});

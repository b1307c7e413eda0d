import { truncateSync } from 'node:fs';
import path from 'node:path';
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

const rex = { name: 'Rex', categoryId: 7n } as const;

/** A writer on a database of its own, and its thread. */
async function openWriter() {
  const file = path.join(await makeFolder(), 'petstore.db');
  openDatabase(file).close();
  const started = new Promise<Worker>((resolve) => process.once('worker', resolve));
  const writer = await openWriterThread(file);
  const worker = await started;
  onTestFinished(() => void worker.terminate());
  return { file, writer, worker };
}

it('a writer thread that has ended refuses writes, and can be closed', async () => {
  const { writer, worker } = await openWriter();
  await worker.terminate();
  const refused = within(writer.tryWrite(), 'a write is refused');
  await expect(refused).rejects.toThrow(StoreUnavailableError);
  await expect(refused).rejects.toThrow('the writer thread has ended');
  await within(writer.close(), 'it is closed');
});

it('what was being written when it ended may be stored or not; later writes are refused', async () => {
  const { writer, worker } = await openWriter();
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  // No call of a method, on which the thread fails before it gets to the write.
  worker.postMessage(undefined);
  const writing = writer.tryWrite().catch((error: unknown) => error);
  const unknown = await within(writing, 'the write that was running fails');
  expect(unknown).toBeInstanceOf(StoreOutcomeUnknownError);
  expect(unknown).toMatchObject({
    ...{ message: 'the writer thread ended meanwhile', cause: expect.any(TypeError) },
  });
  await ended;
  await expect(writer.tryWrite()).rejects.toMatchObject({
    ...{ message: 'the writer thread has ended', cause: expect.any(TypeError) },
  });
});

it('batches that are sent at once are written one after the other, in their order', async () => {
  const { writer } = await openWriter();
  const add = (name: string) =>
    writer.addPets([toAdditionRow({ pet: { name, categoryId: 7n, status: 'sold' } })], new Date());
  const batches = await Promise.all(['Rex', 'Mia', 'Ada'].map(add));
  expect(batches.map(({ ids }) => [...ids])).toEqual([[1n], [2n], [3n]]);
  await writer.close();
});

it('what waits for a write that another program kept from succeeding is not tried as well', async () => {
  const { file, writer } = await openWriter();
  const other = openDatabase(file);
  onTestFinished(() => other.close());
  const add = () =>
    writer.addPets([toAdditionRow({ pet: { ...rex, status: 'sold' } })], new Date());
  other.exec('BEGIN IMMEDIATE');
  const first = add().catch((error: unknown) => {
    // Whatever is tried after it succeeds.
    other.exec('ROLLBACK');
    return error;
  });
  const outcomes = await Promise.allSettled([first, add(), add()]);
  const refused = { status: 'rejected', reason: expect.any(StoreUnavailableError) };
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: expect.any(StoreUnavailableError) },
    refused,
    refused,
  ]);
  expect((await add()).ids).toHaveLength(1);
  await writer.close();
});

it('a call that cannot be sent leaves the responses of others in their order', async () => {
  const { writer } = await openWriter();
  const pet = { ...rex, status: 'sold' } as const;
  const unsent = writer.addPets(
    [Object.assign(toAdditionRow({ pet }), { extra() {} })],
    new Date(),
  );
  await expect(unsent).rejects.toThrow(/could not be cloned/);
  expect(
    (await within(writer.addPets([toAdditionRow({ pet })], new Date()), 'it ends')).ids,
  ).toHaveLength(1);
  await writer.close();
});

it('all that was sent when the thread ended may be stored or not', async () => {
  const { writer, worker } = await openWriter();
  worker.postMessage(undefined);
  const writing = [writer.tryWrite(), writer.tryWrite()];
  const outcomes = await within(Promise.allSettled(writing), 'all that is running fails');
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ reason: expect.any(StoreOutcomeUnknownError) });
});

it('closing a writer lets its thread end by itself', async () => {
  const { writer, worker } = await openWriter();
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  await within(writer.close(), 'it is closed');
  // One that is terminated exits with 1.
  expect(await within(ended, 'its thread ends')).toBe(0);
});

it('the thread ends too when it is closed behind a write that another program keeps from succeeding', async () => {
  const { file, writer, worker } = await openWriter();
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  const other = openDatabase(file);
  onTestFinished(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  const writing = writer.tryWrite().catch((error: unknown) => error);
  const closing = writer.close();
  expect(await writing).toBeInstanceOf(StoreUnavailableError);
  await within(closing, 'it is closed');
  expect(await within(ended, 'its thread ends')).toBe(0);
});

it('what was being written when the disk failed may be stored or not', async () => {
  const { file, writer } = await openWriter();
  const other = openDatabase(file);
  onTestFinished(() => other.close());
  await writer.tryWrite();
  // What another connection has changed is read anew, from a log that is not there any more.
  other.exec("INSERT INTO api_keys (hash, name, created_at) VALUES (x'00', 'till', 0)");
  truncateSync(`${file}-wal`);
  const error = await writer.tryWrite().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StoreOutcomeUnknownError);
  expect(error).toMatchObject({ message: 'the database cannot be used: the disk fails' });
  await writer.close();
});

it('what fails by itself, not by the database, is told as it is', async () => {
  const { writer } = await openWriter();
  const pet = { name: 'Rex', categoryId: 2n ** 63n, status: 'available' } as const;
  const adding = writer.addPets([toAdditionRow({ pet })], new Date());
  const error = await adding.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(StoreUnavailableError);
  await writer.close();
});

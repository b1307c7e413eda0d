import { MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import {
  STALL_MS,
  StoreDamagedError,
  StoreMalformedError,
  StoreUnavailableError,
} from '../../store.ts';
import { createPlaceCheck, watchDatabaseFiles } from '../connection/database-file.ts';
import { openConnection } from '../connection/open-connection.ts';
import { isDiskFailure, isReadOnly, toStoreError } from '../connection/store-error.ts';
import { createWriter, type Writer } from './writer.ts';
import type { WriterCall, WriterResponse } from './writer-thread.ts';

/** How long a connection that found its file read-only is used before another is tried, in milliseconds. */
const REOPEN_MS = 1_000;

// The thread that writes: syncing in the thread of the readers would stop them all.
const port = v.parse(v.instance(MessagePort), parentPort);
const path = v.parse(v.string(), workerData);
let writer = openWriter();
const checkInPlace = createPlaceCheck(path, watchDatabaseFiles(path));
let reopenAt = Number.POSITIVE_INFINITY;

function openWriter(): Writer {
  return createWriter(openConnection(path));
}

function handle({ method, parameters }: WriterCall): WriterResponse {
  try {
    // Or it would go into a file that nobody finds again.
    if (method !== 'close') checkInPlace();
    if (performance.now() >= reopenAt) {
      // Opened first: if that fails, there is still one to close at the next attempt.
      const reopened = openWriter();
      writer.close();
      writer = reopened;
      reopenAt = Number.POSITIVE_INFINITY;
    }
    return { result: Reflect.apply(writer[method], writer, parameters) };
  } catch (thrown) {
    if (isReadOnly(thrown)) reopenAt = Math.min(reopenAt, performance.now() + REOPEN_MS);
    const error = toStoreError(thrown);
    // Of an Error only its message and stack get from one thread to the other.
    if (!(error instanceof StoreUnavailableError)) return { error, kind: 'other' };
    if (error instanceof StoreMalformedError) return { error, kind: 'malformed' };
    if (error instanceof StoreDamagedError) return { error, kind: 'damaged' };
    return { error, kind: isDiskFailure(thrown) ? 'outcome unknown' : 'unavailable' };
  }
}

/** How long no call follows until the latest commit is noted as read, in milliseconds: the next one would do it itself. */
const QUIET_MS = 2;

function noteRead(): void {
  try {
    writer.noteRead();
  } catch {
    // Whoever reads or writes next meets the same failure.
  }
}
const noting = setTimeout(noteRead, QUIET_MS);

function takeWaiting(): WriterCall[] {
  const received = receiveMessageOnPort(port);
  return received === undefined ? [] : [received.message, ...takeWaiting()];
}

port.on('message', (call: WriterCall) => {
  const startedAt = performance.now();
  const response = handle(call);
  const hasFailed = 'error' in response && response.kind !== 'other';
  const isStalled = hasFailed && performance.now() - startedAt > STALL_MS;
  // Taken before anybody knows of the failure: what is sent after it is tried.
  const waiting = isStalled ? takeWaiting() : [];
  port.postMessage(response);
  for (const { method, parameters } of waiting) {
    // Or each would wait as long again, and those who sent them for the sum.
    const isRefused = method !== 'close' && hasFailed;
    port.postMessage(
      isRefused ? { error: response.error, kind: 'unavailable' } : handle({ method, parameters }),
    );
  }
  const isClosed = [call, ...waiting].some(({ method }) => method === 'close');
  if (isClosed) {
    // Nothing is left to do, and so the thread ends.
    clearTimeout(noting);
    port.close();
  } else noting.refresh();
});
port.postMessage('ready');

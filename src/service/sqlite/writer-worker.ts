import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { openConnection } from './open-connection.ts';
import { toStoreError } from './store-error.ts';
import { createWriter } from './writer.ts';
import type { WriterAnswer, WriterCall } from './writer-thread.ts';

// The thread that writes: syncing takes milliseconds, which would stop every reader if it were done in theirs.
const writer = createWriter(openConnection(v.parse(v.string(), workerData)));

function answer({ method, parameters }: WriterCall): WriterAnswer {
  try {
    return { result: Reflect.apply(writer[method], writer, parameters) };
  } catch (thrown) {
    const error = toStoreError(thrown);
    // Of an Error only its message and stack survive the way between threads.
    return { error, name: error instanceof Error ? error.name : '' };
  }
}

parentPort?.on('message', (call: WriterCall) => parentPort?.postMessage(answer(call)));
parentPort?.postMessage('ready');

import { existsSync, statSync } from 'node:fs';
import { MessagePort, parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { messageOf } from '../../../errors.ts';
import { StoreError } from '../store.ts';
import { createApiKeyWriter } from './api-keys.ts';
import { connect, listFiles, makeDurable, toStoreError } from './connection.ts';
import { createPetWriter } from './pets.ts';

export type Writer = ReturnType<typeof createWriter>;

/** One call of the writer, and its response. Of an error only plain values get from one thread to the other. */
export interface WriterCall {
  readonly method: keyof Writer;
  readonly parameters: readonly unknown[];
}
export type WriterResponse<Result = unknown> =
  | { readonly result: Result }
  | { readonly message: string; readonly isOutcomeUnknown: boolean }
  | { readonly error: unknown };

function createWriter(file: string) {
  const connection = connect(file);
  makeDurable(connection);
  return {
    ...createPetWriter(connection),
    ...createApiKeyWriter(connection),
    close: (): void => connection.close(),
  };
}

/** Returns a check that the files are still those that were opened: what is written into another is lost. */
function createPlaceCheck(file: string): () => void {
  const files = Object.values(listFiles(file)).filter((name) => existsSync(name));
  const opened = files.map(identify);
  return () => {
    const gone = files.find((name, index) => identify(name) !== opened[index]);
    if (gone === undefined) return;
    throw new StoreError(`the database cannot be used: ${gone} was moved, deleted or replaced`);
  };
}

function identify(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** The thread that writes: a sync in the thread of the readers would stop them all. */
function serveWriter(port: MessagePort, file: string): void {
  const writer = createWriter(file);
  const checkPlace = createPlaceCheck(file);

  function respond({ method, parameters }: WriterCall): WriterResponse {
    try {
      if (method !== 'close') checkPlace();
      return { result: Reflect.apply(writer[method], writer, parameters) };
    } catch (thrown) {
      const error = toStoreError(thrown, file);
      if (!(error instanceof StoreError)) return { error };
      return { message: messageOf(error), isOutcomeUnknown: error.isOutcomeUnknown };
    }
  }

  port.on('message', (call: WriterCall) => {
    port.postMessage(respond(call));
    // Nothing is left to do, and so the thread ends by itself: terminated inside a call, it would end the process.
    if (call.method === 'close') port.close();
  });
  port.postMessage('ready');
}

serveWriter(v.parse(v.instance(MessagePort), parentPort), v.parse(v.string(), workerData));

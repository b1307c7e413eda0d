import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../../../errors.ts';
import {
  StoreDamagedError,
  StoreMalformedError,
  StoreOutcomeUnknownError,
  StoreUnavailableError,
} from '../../store.ts';
import type { Writer } from './writer.ts';

type Method = Exclude<keyof Writer, 'noteRead'>;

export interface WriterCall {
  readonly method: Method;
  readonly parameters: unknown[];
}

const errorKinds = {
  unavailable: StoreUnavailableError,
  'outcome unknown': StoreOutcomeUnknownError,
  damaged: StoreDamagedError,
  malformed: StoreMalformedError,
} as const;

export type WriterResponse<Result = unknown> =
  | { readonly result: Result }
  | { readonly error: unknown; readonly kind: keyof typeof errorKinds | 'other' };

interface RunningCall {
  end(response: WriterResponse): void;
  fail(error: Error): void;
}

/** The writer in a thread of its own: the same methods, one after another. */
export type WriterThread = {
  [Name in Method]: (...parameters: Parameters<Writer[Name]>) => Promise<ReturnType<Writer[Name]>>;
};

/** Starts the writer thread on a database that is migrated already. */
export async function openWriterThread(path: string): Promise<WriterThread> {
  const worker = startWorker(path);
  await once(worker, 'message');
  const exit = new Promise((resolve) => worker.once('exit', resolve));
  /** Those without a response, oldest first. */
  const running: RunningCall[] = [];
  let cause: unknown;
  let ended: StoreUnavailableError | undefined;
  worker.on('message', (response) => running.shift()?.end(response));
  worker.on('error', (error) => {
    cause = error;
  });
  worker.on('exit', () => {
    ended = new StoreUnavailableError('the writer thread has ended', { cause });
    const unknown = new StoreOutcomeUnknownError('the writer thread ended meanwhile', { cause });
    for (const { fail } of running.splice(0)) fail(unknown);
  });

  /** Calls are responded to in their order. Both sides keep to the types of `Writer`. */
  function enqueue<Name extends Method>(method: Name) {
    return (...parameters: Parameters<Writer[Name]>): Promise<ReturnType<Writer[Name]>> =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        const end = (response: WriterResponse<ReturnType<Writer[Name]>>) =>
          'result' in response ? resolve(response.result) : reject(toThrown(response));
        // First, as it throws when something cannot be sent, to which no response comes.
        worker.postMessage({ method, parameters } satisfies WriterCall);
        running.push({ end, fail: reject });
      });
  }

  return {
    addPets: enqueue('addPets'),
    createKey: enqueue('createKey'),
    rotateKey: enqueue('rotateKey'),
    revokeKey: enqueue('revokeKey'),
    recordKeyUses: enqueue('recordKeyUses'),
    tryWrite: enqueue('tryWrite'),
    close: async () => {
      try {
        await enqueue('close')();
      } catch (error) {
        // A thread that has ended has nothing left to close.
        if (error !== ended) throw error;
      } finally {
        // By itself: a call of the driver that fails while its thread is being terminated ends the whole process.
        await exit;
      }
    },
  };
}

function toThrown({ error, kind }: Extract<WriterResponse, { kind: unknown }>): unknown {
  if (kind === 'other') return error;
  return new errorKinds[kind](messageOf(error), { cause: error });
}

function startWorker(path: string): Worker {
  const entry = import.meta.url.endsWith('.ts') ? './writer-worker.dev.mjs' : './writer-worker.cjs';
  return new Worker(new URL(entry, import.meta.url), { workerData: path, execArgv: [] });
}

import type { Failure } from '../../../client/request-error.ts';
import {
  type ConcurrencyLimit,
  createConcurrencyLimit,
} from '../../../import/send/concurrency-limit.ts';
import type { Context } from '../../../program/context/context.ts';
import { requireWriteKey } from '../../shared/require-write-key.ts';

/** Retries for each row: an import outlives a restart of the service, within the client's two minutes. */
const PATIENT_RETRIES = 20;

/** How long requests in flight may take once the person wants to stop. Rows that do not make it have no outcome yet. */
const GRACE_MS = 10_000;

/** Opens what rows are sent with. @param onStop called when the program is asked to stop. */
export async function openSender(context: Context, concurrency: number, onStop: () => void) {
  const { terminal, signal, environments } = context;
  const grace = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    onStop();
    terminal.warn('Stopping: requests in flight are finishing; press Ctrl-C again to stop now.');
    timer = setTimeout(() => grace.abort(), GRACE_MS);
  };
  const close = () => {
    signal.removeEventListener('abort', stop);
    clearTimeout(timer);
  };
  signal.addEventListener('abort', stop, { once: true });
  const limit = createConcurrencyLimit(concurrency);
  try {
    const client = await context.client({
      signal: grace.signal,
      retries: PATIENT_RETRIES,
      onRetry: (failure) => slowDownAt(failure, limit),
    });
    /** Whether the service recognizes a row it has seen by its idempotency key. */
    const honorsKeys = await client.honorsIdempotency();
    requireWriteKey(context);
    if (!honorsKeys) {
      const { name } = environments.target();
      terminal.warn(
        `${name} does not honor idempotency keys: a row whose response is lost is reported as unknown and not sent again.`,
        { environment: name },
      );
    }
    return { client, limit, honorsKeys, close };
  } catch (error) {
    close();
    throw error;
  }
}

function slowDownAt(failure: Failure, limit: ConcurrencyLimit): void {
  if ('status' in failure && [429, 503].includes(failure.status ?? 0)) limit.slowDown();
}

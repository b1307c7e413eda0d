import type { PetstoreClient } from '../../client/client.ts';
import type { Failure } from '../../client/request-error.ts';
import {
  type ConcurrencyLimit,
  createConcurrencyLimit,
} from '../../import/send/concurrency-limit.ts';
import type { Context } from '../../program/context/context.ts';
import { openGracePeriod } from './open-grace-period.ts';

/** What rows are sent with. */
export interface Sender {
  client: PetstoreClient;
  limit: ConcurrencyLimit;
  /** Whether the service recognizes a row it has seen by its idempotency key. */
  honorsKeys: boolean;
  close(): void;
}

/** Retries for each row: an import outlives a restart of the service, within the client's two minutes. */
const PATIENT_RETRIES = 20;

/** @param onStop called when the program is asked to stop. */
export async function openSender(
  context: Context,
  concurrency: number,
  onStop: () => void,
): Promise<Sender> {
  const stop = openGracePeriod(context, onStop);
  const limit = createConcurrencyLimit(concurrency);
  try {
    const client = await context.client({
      signal: stop.signal,
      retries: PATIENT_RETRIES,
      onRetry: (failure) => slowDownAt(failure, limit),
    });
    const honorsKeys = await client.honorsIdempotency();
    if (!honorsKeys) warnOfKeys(context);
    return { client, limit, honorsKeys, close: stop.close };
  } catch (error) {
    stop.close();
    throw error;
  }
}

function slowDownAt(failure: Failure, limit: ConcurrencyLimit): void {
  if ('status' in failure && [429, 503].includes(failure.status)) limit.slowDown();
}

function warnOfKeys({ terminal, environments }: Context): void {
  const { name } = environments.target();
  terminal.warn(
    `${name} does not honor idempotency keys: a row whose response is lost is reported as unknown and not sent again.`,
    { environment: name },
  );
}

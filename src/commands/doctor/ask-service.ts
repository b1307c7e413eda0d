import { RequestError } from '../../client/request-error.ts';
import type { Trace } from '../../client/trace.ts';
import type { Target } from '../../config/environments/environments.ts';
import type { Context } from '../../program/context/context.ts';
import { type Finding, fail, pass, warn } from './finding.ts';

/** Retries, `Retry-After` and certificates live with a clock that is off by less. */
const TOLERATED_SKEW_MS = 60_000;

/** Lists one pet. @throws RequestError when the service is not reached, fails or rejects the key. */
export async function askService(context: Context, target: Target): Promise<Finding> {
  const key = await context.keys.find(target).catch(() => undefined);
  const reply: { date?: Date; ms?: number } = {};
  const onResult: Trace['result'] = (_, result, ms) => {
    const date = Date.parse(String(result.response?.headers.date));
    if (!Number.isNaN(date)) reply.date = new Date(date);
    reply.ms = Math.round(ms);
  };
  const client = await context.connect(target, key?.value ?? 'none', { onResult });
  try {
    await client.listPets({ limit: 1 });
    const isSafe = await client.honorsIdempotency();
    return judge(context.clock(), reply.date, isSafe, `answered in ${reply.ms} ms`);
  } catch (error) {
    // Without a key it can only say no; that it does is what was asked.
    if (key !== undefined || !isUnauthorized(error)) throw error;
    return pass(`answered in ${reply.ms} ms that it wants a key`);
  } finally {
    await client.close();
  }
}

function judge(now: Date, date: Date | undefined, isSafe: boolean, answered: string): Finding {
  const skew = date === undefined ? 0 : now.getTime() - date.getTime();
  if (Math.abs(skew) > TOLERATED_SKEW_MS) {
    const minutes = Math.round(Math.abs(skew) / 60_000);
    return fail(
      `${answered}, but this machine's clock is ${minutes} min ${skew > 0 ? 'ahead' : 'behind'}`,
      'set the clock of this machine',
    );
  }
  return isSafe
    ? pass(answered)
    : warn(`${answered}, but does not know idempotency keys: a failed add is not repeated`);
}

function isUnauthorized(error: unknown): boolean {
  return (
    error instanceof RequestError &&
    error.failure.kind === 'response' &&
    error.failure.status === 401
  );
}

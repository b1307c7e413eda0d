import type { Trace } from '../../client/send-request.ts';
import type { Target } from '../../config/environments/environments.ts';
import type { Context } from '../../program/context/context.ts';
import { isUnauthorized } from '../shared/verify-key.ts';
import { type Finding, fail, pass, warn } from './checks.ts';

/** Retries, `Retry-After` and certificates tolerate a clock that is off by less. */
const TOLERATED_SKEW_MS = 60_000;

/** Lists one pet. @throws RequestError when the service is not reached, fails or rejects the key. */
export async function checkService(context: Context, target: Target): Promise<Finding> {
  const key = await context.keys.find(target).catch(() => undefined);
  const response: { date?: Date; ms?: number } = {};
  const onResult: Trace['result'] = (_, result, ms) => {
    const date = Date.parse(String(result.response?.headers.date));
    if (!Number.isNaN(date)) response.date = new Date(date);
    response.ms = Math.round(ms);
  };
  const client = await context.connect(target, key?.value ?? 'none', { onResult });
  try {
    await client.listPets({ limit: 1 });
    const isSafe = await client.honorsIdempotency();
    return judge(context.clock(), response.date, isSafe, `responded in ${response.ms} ms`);
  } catch (error) {
    // Without a key the service can only refuse, which shows that it is there.
    if (key !== undefined || !isUnauthorized(error)) throw error;
    return pass(`responded in ${response.ms} ms that it needs a key`);
  } finally {
    await client.close();
  }
}

function judge(now: Date, date: Date | undefined, isSafe: boolean, responded: string): Finding {
  const skew = date === undefined ? 0 : now.getTime() - date.getTime();
  if (Math.abs(skew) > TOLERATED_SKEW_MS) {
    const minutes = Math.round(Math.abs(skew) / 60_000);
    return fail(
      `${responded}, but this machine's clock is ${minutes} min ${skew > 0 ? 'ahead' : 'behind'}`,
      'set the clock of this machine',
    );
  }
  return isSafe
    ? pass(responded)
    : warn(`${responded}, but does not know idempotency keys: a failed add is not retried`);
}

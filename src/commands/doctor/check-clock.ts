import { UserError } from '../../errors.ts';
import { adviseClock } from '../../terminal/command-line.ts';

/** `Retry-After` and certificates bear a clock that is off by less. */
const TOLERATED_MS = 60_000;

/** Compares this computer's clock with the service's. @throws UserError when they differ by more than a minute. */
export function checkClock(served: Date | undefined, now: Date): string {
  const skew = served === undefined ? 0 : now.getTime() - served.getTime();
  if (Math.abs(skew) <= TOLERATED_MS) return now.toISOString();
  const minutes = Math.round(Math.abs(skew) / 60_000);
  const direction = skew > 0 ? 'ahead of' : 'behind';
  throw new UserError(
    'cli_doctor',
    `This computer's clock is ${minutes} min ${direction} the service's.`,
    { details: ['certificates and waiting times depend on it'], try: [adviseClock()] },
  );
}

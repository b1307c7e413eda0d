import { formatAgo } from '../../terminal/text/time.ts';
import type { Context } from './context.ts';

/** Says once that the time of `env use --for` is over: whoever types next may believe to be there still. */
export function announceEnded({ environments, state, terminal, clock }: Context): void {
  const choice = findEnded(environments, clock());
  if (choice === undefined) return;
  const until = choice.until.toISOString();
  if (state.read().notices[NOTICE] === until) return;
  const { name, next } = choice;
  terminal.warn(`${name} ended ${formatAgo(choice.until, clock())}; now ${next}`, {
    environment: next,
    until,
  });
  state.update(({ notices, ...others }) => ({
    ...others,
    notices: { ...notices, [NOTICE]: until },
  }));
}

/** Its value is the end that was said, not a day: two ends may be on one. */
const NOTICE = 'env-use-ended';

function findEnded(environments: Context['environments'], now: Date) {
  try {
    const choice = environments.temporary();
    return choice !== undefined && choice.until <= now ? choice : undefined;
  } catch {
    // A command that needs the config file meets the failure itself.
    return undefined;
  }
}

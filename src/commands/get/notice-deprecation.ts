import { GET_PET_SUNSET } from '../../contract/operations.ts';
import type { Context } from '../../program/context/context.ts';

const DAY_MS = 86_400_000;
const LAST_DAYS = 90;

/** Announces that the operation will be removed: once a day per environment, every time in its last 90 days. */
export function noticeDeprecation(context: Context): void {
  const left = GET_PET_SUNSET.getTime() - context.clock().getTime();
  const isNear = left < LAST_DAYS * DAY_MS;
  if (!isNear && !isDue(context, 'get-deprecated')) return;
  context.terminal.notice(
    'The service removes GET /pets/{petId} on 5 December 2030; petstore get then reads the list. See: petstore help deprecation',
    { code: 'cli_deprecated', sunset: GET_PET_SUNSET.toISOString() },
  );
}

/** Announces that the operation was removed, once a day per environment. */
export function noticeRemoval(context: Context): void {
  if (!isDue(context, 'get-removed')) return;
  context.terminal.notice(
    'The service has removed GET /pets/{petId}; reading the list instead. See: petstore help deprecation',
    { code: 'cli_removed' },
  );
}

function isDue({ environments, state, clock, terminal }: Context, notice: string): boolean {
  if (terminal.isQuiet) return false;
  const name = `${notice} ${environments.target().name}`;
  const today = clock().toISOString().slice(0, 10);
  if (state.read().notices[name] === today) return false;
  state.update((before) => ({ ...before, notices: { ...before.notices, [name]: today } }));
  return true;
}

import type { Context } from './context.ts';

/** Whether a notice that is shown once a day is due. It counts as shown from then on. */
export function isNoticeDue(
  { state, clock, terminal }: Pick<Context, 'state' | 'clock' | 'terminal'>,
  name: string,
): boolean {
  if (terminal.isQuiet) return false;
  const today = clock().toISOString().slice(0, 10);
  if (state.read().notices[name] === today) return false;
  state.update((before) => ({ ...before, notices: { ...before.notices, [name]: today } }));
  return true;
}

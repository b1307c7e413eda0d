import type { Context } from '../../program/context/context.ts';

/** The time between the wish to stop and the end. */
export interface Stop {
  /** Ends requests that are still under way when their time is over. */
  signal: AbortSignal;
  close(): void;
}

/** How long rows under way may take once the person wants to stop. The journal knows those that do not make it. */
const GRACE_MS = 10_000;

/** Lets rows under way be finished when the program is asked to stop, but not for ever. */
export function openGracePeriod({ terminal, signal }: Context, onStop: () => void): Stop {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    onStop();
    terminal.warn('Finishing the rows under way; once more to stop at once.');
    timer = setTimeout(() => controller.abort(), GRACE_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    close() {
      signal.removeEventListener('abort', stop);
      clearTimeout(timer);
    },
  };
}

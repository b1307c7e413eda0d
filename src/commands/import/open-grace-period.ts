import type { Context } from '../../program/context/context.ts';

/** The time between the wish to stop and the end. */
export interface GracePeriod {
  /** Ends requests that are still in flight when their time is over. */
  signal: AbortSignal;
  close(): void;
}

/** How long requests in flight may take once the person wants to stop. Rows that do not make it have no outcome yet. */
const GRACE_MS = 10_000;

/** Lets requests in flight finish when the program is asked to stop, but not forever. */
export function openGracePeriod({ terminal, signal }: Context, onStop: () => void): GracePeriod {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    onStop();
    terminal.warn('Stopping: requests in flight are finishing; press Ctrl-C again to stop now.');
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

import type { Host, Interruption } from './context/context.ts';

const exitCodes = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
} satisfies Record<Interruption['signal'], number>;

/** The first signal lets the command finish what is in flight; a second SIGINT or SIGTERM ends the program at once, by `exit`. */
export function watchSignals(
  exit: (exitCode: number) => void,
): Pick<Host, 'signal' | 'handleHangup'> {
  const controller = new AbortController();
  let onHangup: (() => void) | undefined;
  const stop = (signal: Interruption['signal']) => {
    if (!controller.signal.aborted) controller.abort({ signal } satisfies Interruption);
    // A terminal that closes sends SIGHUP twice: from its shell and from the kernel.
    else if (signal !== 'SIGHUP') exit(exitCodes[signal]);
  };
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGHUP', () => (onHangup ? onHangup() : stop('SIGHUP')));
  return {
    signal: controller.signal,
    handleHangup(listener) {
      onHangup = listener;
      return () => {
        onHangup = undefined;
      };
    },
  };
}

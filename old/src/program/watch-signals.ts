import type { Host, Interruption } from './context/context.ts';

const exitCodes = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
} satisfies Record<Interruption['signal'], number>;

/** This process, or a stand-in. */
interface SignalSource {
  readonly platform: NodeJS.Platform;
  on(signal: NodeJS.Signals, listener: () => void): unknown;
}

/**
 * The first signal lets the command finish what is in flight; a second SIGINT or SIGTERM ends the program at once, by `exit`.
 * Windows has Ctrl-Break besides Ctrl-C, and its SIGHUP always means that the console was closed.
 */
export function watchSignals(
  exit: (exitCode: number) => void,
  source: SignalSource = process,
): Pick<Host, 'signal' | 'handleHangup'> {
  const isWindows = source.platform === 'win32';
  const controller = new AbortController();
  let onHangup: (() => void) | undefined;
  const stop = (signal: Interruption['signal']) => {
    if (!controller.signal.aborted) controller.abort({ signal } satisfies Interruption);
    // A terminal that closes sends SIGHUP twice: from its shell and from the kernel.
    else if (signal !== 'SIGHUP') exit(exitCodes[signal]);
  };
  source.on('SIGINT', () => stop('SIGINT'));
  source.on('SIGTERM', () => stop('SIGTERM'));
  if (isWindows) source.on('SIGBREAK', () => stop('SIGTERM'));
  source.on('SIGHUP', () => (onHangup ? onHangup() : stop('SIGHUP')));
  return {
    signal: controller.signal,
    handleHangup(listener) {
      if (!isWindows) onHangup = listener;
      return () => {
        onHangup = undefined;
      };
    },
  };
}

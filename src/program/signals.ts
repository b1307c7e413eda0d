import type { Streams } from '../terminal/terminal.ts';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopSignal = (typeof stopSignals)[number];

/** What `process` offers of signals. */
export interface SignalSource extends Streams {
  readonly pid: number;
  readonly platform: NodeJS.Platform;
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  removeAllListeners(signal: NodeJS.Signals): unknown;
  kill(pid: number, signal: NodeJS.Signals): unknown;
}

export interface Signals {
  /** Aborted by the first signal that asks the program to stop; its name is the reason. */
  readonly signal: AbortSignal;
  /** Calls `listener` on SIGHUP in place of stopping. */
  handleHangup(listener: () => void): void;
  /** Ends the program by the signal that stopped it, so that a shell sees how it ended. */
  resend(): void;
}

/** The first signal lets the command clean up; a second one ends the program at once. */
export function watchSignals(source: SignalSource): Signals {
  const controller = new AbortController();
  let onHangup: (() => void) | undefined;
  const stop = (name: StopSignal) => {
    for (const other of stopSignals) source.removeAllListeners(other);
    controller.abort(name);
  };
  source.on('SIGINT', () => stop('SIGINT'));
  source.on('SIGTERM', () => stop('SIGTERM'));
  source.on('SIGHUP', () => {
    if (onHangup !== undefined) onHangup();
    // Where no stream is a terminal, nohup or a service manager started it: nobody hung up.
    else if (hasTerminal(source)) stop('SIGHUP');
  });
  return {
    signal: controller.signal,
    handleHangup(listener) {
      onHangup = listener;
    },
    resend() {
      const name = stopSignals.find((one) => one === controller.signal.reason);
      // Windows has no signals to send; there the exit code says it.
      if (name !== undefined && source.platform !== 'win32') source.kill(source.pid, name);
    },
  };
}

function hasTerminal({ stdin, stdout, stderr }: Streams): boolean {
  return [stdin, stdout, stderr].some(({ isTTY }) => isTTY);
}

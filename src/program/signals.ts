import { setMaxListeners } from 'node:events';
import { UserError } from '../errors.ts';
import type { Streams } from '../terminal/terminal.ts';

const stopCodes = {
  SIGINT: 'cli_interrupted',
  SIGTERM: 'cli_terminated',
  SIGHUP: 'cli_hangup',
  SIGBREAK: 'cli_terminated',
} as const;
type StopSignal = keyof typeof stopCodes;
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

export interface SignalSource extends Streams {
  readonly pid: number;
  readonly platform: NodeJS.Platform;
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  removeAllListeners(signal: NodeJS.Signals): unknown;
  kill(pid: number, signal: NodeJS.Signals): unknown;
}

export interface Signals {
  /** Aborted by the first signal that asks the program to stop; the reason is a UserError with its code. */
  readonly signal: AbortSignal;
  handleHangup(listener: () => void): void;
  /** The terminal is gone: the same as SIGHUP, which may come later, or never. */
  hangUp(): void;
  /** Stops the program, as Ctrl-Z does, until the shell continues it. */
  suspend(): Promise<void>;
  /** Ends the program by the signal that stopped it, so that a shell sees how it ended. */
  resend(): void;
}

/** The first signal lets the command clean up; a second one ends the program at once. */
export function watchSignals(source: SignalSource): Signals {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  let onHangup: (() => void) | undefined;
  let stoppedBy: StopSignal | undefined;
  const stop = (name: StopSignal) => {
    stoppedBy = name;
    for (const other of stopSignals) source.removeAllListeners(other);
    controller.abort(new UserError(stopCodes[name], 'Stopped.'));
  };
  const handle = (name: StopSignal) => {
    // On Windows the window was closed, and the system ends the program in a few seconds.
    if (name !== 'SIGHUP' || source.platform === 'win32') stop(name);
    else if (onHangup !== undefined) onHangup();
    // Where no stream is a terminal, nohup or a service manager started it: nobody hung up.
    else if (hasTerminal(source)) stop(name);
  };
  for (const name of stopSignals) source.on(name, () => handle(name));
  return {
    signal: controller.signal,
    handleHangup(listener) {
      onHangup = listener;
    },
    hangUp() {
      if (stoppedBy === undefined) stop('SIGHUP');
    },
    async suspend() {
      if (source.platform === 'win32') return;
      const continued = new Promise<void>((resolve) => {
        source.on('SIGCONT', resolve);
      });
      // Its whole group, as the terminal does: the shell waits for the one that it started.
      source.kill(0, 'SIGTSTP');
      await continued;
      source.removeAllListeners('SIGCONT');
    },
    resend() {
      // Windows has no signals to send; there the exit code says it.
      if (stoppedBy !== undefined && source.platform !== 'win32')
        source.kill(source.pid, stoppedBy);
    },
  };
}

function hasTerminal({ stdin, stdout, stderr }: Streams): boolean {
  return [stdin, stdout, stderr].some(({ isTTY }) => isTTY);
}

import { constants, openSync } from 'node:fs';
import { destination, type LevelWithSilent, type Logger, pino } from 'pino';

export interface LogOptions {
  readonly level: LevelWithSilent;
  /** Given where stderr is a terminal: lines for people, in color or not. */
  readonly people?: { readonly hasColor: boolean } | undefined;
}

export interface Log {
  readonly log: Logger;
  /** Writes what is left, for at most half a second. */
  close(): Promise<void>;
}

/** Lines are written together, for speed, see bench/README.md. In bytes and milliseconds. */
const TOGETHER = { minLength: 4_096, periodicFlush: 200 };
/** Lines, in bytes, that wait for a disk or reader that takes none; more are lost. */
const WAITING_BYTES = 4 * 1024 * 1024;
const CLOSE_MS = 500;

/**
 * Opens the log of the service on stderr: one JSON object per line, or lines for people. What cannot be written is lost,
 * and nothing else suffers.
 */
export async function openLog({ level, people }: LogOptions): Promise<Log> {
  const options = {
    level,
    base: null,
    messageKey: 'message',
    timestamp: createTimestamp(),
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const stderr = destination({
    ...{ dest: openStderr(), sync: false, maxLength: WAITING_BYTES, ...TOGETHER },
    ...(people && { minLength: 1 }),
  });
  stderr.on('error', () => {});
  const log = pino(options, people ? await openPretty(stderr, people.hasColor) : stderr);
  return {
    log,
    async close() {
      log.level = 'silent';
      await endStream(stderr);
      // Otherwise it would be written at the exit of the process, for which a full disk is waited for endlessly.
      stderr.destroy();
    },
  };
}

function endStream(stream: ReturnType<typeof destination>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, CLOSE_MS);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    stream.once('close', end).once('error', end);
    stream.end();
  });
}

/** Opened anew so that a full pipe is no thread that waits, for which the end of the process would wait, too. */
function openStderr(): number {
  // Elsewhere it would be a path like any other, which somebody else may have created.
  if (process.platform !== 'linux') return 2;
  try {
    return openSync(
      '/proc/self/fd/2',
      constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK,
    );
  } catch {
    // A socket.
    return 2;
  }
}

/** The text of a time is made once per millisecond, for speed. */
function createTimestamp(): () => string {
  let time = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== time) text = `,"time":"${new Date(now).toISOString()}"`;
    time = now;
    return text;
  };
}

async function openPretty(stderr: ReturnType<typeof destination>, colorize: boolean) {
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    colorize,
    destination: stderr,
    messageKey: 'message',
    hideObject: true,
    translateTime: 'SYS:HH:MM:ss',
    messageFormat:
      '{message}{if path} {method} {path} {status}, {milliseconds} ms{end}{if aborted}, the client has gone{end}{if reason}: {reason}{end}',
  });
}

import { destination, type LevelWithSilent, type Logger, pino, stdTimeFunctions } from 'pino';

export interface LogOptions {
  readonly level: LevelWithSilent;
  /** Given where stderr is a terminal: lines for people, in color or not. */
  readonly people?: { readonly hasColor: boolean } | undefined;
}

/** Lines, in bytes, that wait for a reader of stderr that has stopped reading; more are lost. */
const WAITING_BYTES = 4 * 1024 * 1024;

/** Opens the log of the service on stderr: one JSON object per line, or lines for people. */
export async function openLog({ level, people }: LogOptions): Promise<Logger> {
  const options = {
    level,
    base: null,
    messageKey: 'message',
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, people === undefined ? openStderr() : await openPretty(people.hasColor));
}

function openStderr() {
  return destination({ dest: 2, sync: false, maxLength: WAITING_BYTES });
}

async function openPretty(colorize: boolean) {
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    colorize,
    destination: 2,
    sync: true,
    messageKey: 'message',
    hideObject: true,
    translateTime: 'SYS:HH:MM:ss',
    messageFormat:
      '{message}{if path} {method} {path} {status}, {milliseconds} ms{end}{if reason}: {reason}{end}',
  });
}

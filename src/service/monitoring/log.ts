type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes a line; undefined below the level of the log. */
type LogLine = ((message: string, fields?: LogFields) => void) | undefined;

/** Writes what happened, one JSON object per line. Fields never hold a key or a body. */
export interface Log {
  readonly debug: LogLine;
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A log that writes lines of this level and above. */
export function createLog(write: (line: string) => void, level: LogLevel): Log {
  const threshold = logLevels.indexOf(level);
  function at(name: LogLevel): LogLine {
    if (logLevels.indexOf(name) < threshold) return undefined;
    return (message, fields) => {
      write(`${JSON.stringify({ time: new Date(), level: name, message, ...fields })}\n`);
    };
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

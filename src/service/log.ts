type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes what happened, one JSON object a line. Fields never hold a key or a body. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A log that writes lines of this level and above. */
export function createLog(write: (line: string) => void, level: LogLevel): Log {
  const threshold = logLevels.indexOf(level);
  function at(name: LogLevel) {
    if (logLevels.indexOf(name) < threshold) return () => {};
    return (message: string, fields?: LogFields) => {
      write(`${JSON.stringify({ time: new Date(), level: name, message, ...fields })}\n`);
    };
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

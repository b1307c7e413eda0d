type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes a line; undefined below the level of the log. */
type LogLine = ((message: string, fields?: LogFields) => void) | undefined;

/** Writes what happened, one JSON object per line. Fields never hold a key or a body. */
export interface Log {
  readonly debug: LogLine;
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
  /** Writes the summaries that wait for their second to end. */
  flush(): void;
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * A log that writes lines of this level and above. Lines of one kind that come in floods are counted and written as one
 * summary per second, except at `debug`, which has everything.
 */
export function createLog(write: (line: string) => void, level: LogLevel): Log {
  const threshold = logLevels.indexOf(level);
  const summaries = createSummaries();

  function at(name: LogLevel): LogLine {
    if (logLevels.indexOf(name) < threshold) return undefined;
    function writeLine(message: string, fields?: LogFields): void {
      write(`${JSON.stringify({ time: new Date(), level: name, message, ...fields })}\n`);
    }
    if (level === 'debug') return writeLine;
    return (message, fields) => {
      const kind = { operation: fields?.operation, status: fields?.status, limit: fields?.limit };
      const summarize = (count: number) => writeLine(message, { ...kind, count });
      const id = [name, message, ...Object.values(kind)].join(' ');
      if (!summaries.count(id, summarize)) writeLine(message, fields);
    };
  }
  return {
    ...{ debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    flush: summaries.flush,
  };
}

/** Lines of one kind that are written singly in one second. */
const SINGLE_LINES = 10;
const SECOND_MS = 1_000;

interface Kind {
  /** Its lines in this second. */
  lines: number;
  summarize: (count: number) => void;
}

/** Tells floods from single lines, kind by kind. */
function createSummaries() {
  const kinds = new Map<string, Kind>();
  let timer: NodeJS.Timeout | undefined;

  /** What was a flood starts the next second as one. */
  function endSecond(): void {
    for (const [id, kind] of kinds) {
      const count = kind.lines - SINGLE_LINES;
      if (count > 0) kind.summarize(count);
      if (count > 0) kind.lines = SINGLE_LINES;
      else kinds.delete(id);
    }
    if (kinds.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /** Counts a line of a kind; true when it belongs into the summary. */
    count(id: string, summarize: (count: number) => void): boolean {
      timer ??= setInterval(endSecond, SECOND_MS).unref();
      const kind = kinds.get(id) ?? { lines: 0, summarize };
      kinds.set(id, kind);
      kind.lines += 1;
      return kind.lines > SINGLE_LINES;
    },
    flush: endSecond,
  };
}

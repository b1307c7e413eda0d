import type { Readable } from 'node:stream';
import { messageOf, UserError } from '../errors.ts';
import type { OutputFormat } from '../output-formats.ts';
import { emphasizeCare } from './emphasis.ts';
import { escapeUnsafe, showUnsafe } from './safe-text.ts';

interface OutputStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface InputStream extends Readable {
  readonly isTTY?: boolean;
  /** Only a terminal has it: each key arrives at once, and is not shown by the terminal itself. */
  setRawMode?(mode: boolean): unknown;
}

/** The standard streams of a process. Each is read from here when it is needed: opening stdin takes time. */
export interface Streams {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

export interface TerminalOptions {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly format: OutputFormat;
  /** `--quiet`: neither notices nor progress. */
  readonly isQuiet: boolean;
  /** False for `--no-input`. */
  readonly mayAsk: boolean;
  /** False for `--no-color`. */
  readonly mayColor: boolean;
}

export interface Screen {
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  readonly hasEscapes: boolean;
  /** In columns; 80 where it is not known. */
  readonly width: number;
}

/** The only place that writes to the standard streams. */
export interface Terminal {
  readonly format: OutputFormat;
  /** Somebody can be asked: stdin, not read to its end, and stderr are terminals; neither `--no-input` nor `CI` is set. */
  readonly isInteractive: boolean;
  /** Notices and progress have a reader: stderr is a terminal, and `--quiet` is not set. */
  readonly hasNotices: boolean;
  /** Warnings and errors are JSON lines: for scripts that asked for JSON. */
  readonly hasJsonErrors: boolean;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Writes data to stdout; resolves when the stream has taken it. @throws UserError `cli_output`, OutputClosedError. */
  write(text: string): Promise<void>;
  /** A line for people on stderr, where `hasNotices`. */
  notice(text: string, options?: { readonly needsCare: boolean }): void;
  /** What must be seen although the command succeeds. */
  warn(code: string, message: string, members?: Readonly<Record<string, unknown>>): void;
  writeError(text: string): void;
  /** A line can be taken away again: a terminal that knows escapes, with a reader of notices. */
  readonly canErase: boolean;
  /** A line on stderr that is erased before anything else is written; an empty one only erases. */
  showStatus(text: string): void;
}

/** The reader of stdout left, as `head` does: the program ends quietly. */
export class OutputClosedError extends Error {
  override readonly name = 'OutputClosedError';
}

export function openTerminal(streams: Streams, options: TerminalOptions): Terminal {
  const { format, variables } = options;
  // What fails is reported by its write; without a listener it would also be a crash.
  for (const stream of [streams.stdout, streams.stderr]) stream.on('error', () => {});
  const stdout = describeScreen(() => streams.stdout, options);
  const stderr = describeScreen(() => streams.stderr, options);
  const hasNotices = stderr.isTerminal && !options.isQuiet;
  const hasJsonErrors = !stderr.isTerminal && (format === 'json' || format === 'ndjson');
  // Where stderr cannot be written, nothing is left to say it.
  const writeRaw = (text: string) => void write(streams.stderr, text).catch(() => {});
  const canErase = hasNotices && stderr.hasEscapes;
  let hasStatus = false;
  const eraseStatus = () => {
    if (hasStatus) writeRaw(ERASE_LINE);
    hasStatus = false;
  };
  const writeError = (text: string) => {
    eraseStatus();
    writeRaw(text);
  };
  const writeWords = (text: string) => writeError(`${fitWords(text, stderr)}\n`);
  return {
    format,
    hasNotices,
    hasJsonErrors,
    stdout,
    stderr,
    get isInteractive() {
      const mayAsk = options.mayAsk && !isSwitchedOn(variables.CI);
      const { stdin } = streams;
      return mayAsk && stderr.isTerminal && stdin.isTTY === true && stdin.readable;
    },
    write(text) {
      if (stdout.isTerminal) eraseStatus();
      return write(streams.stdout, text);
    },
    notice: (text, { needsCare } = { needsCare: false }) => {
      if (!hasNotices) return;
      const words = fitWords(text, stderr);
      writeError(`${needsCare ? emphasizeCare(words, stderr.hasColor) : words}\n`);
    },
    warn: (code, message, members = {}) => {
      if (hasJsonErrors) writeError(formatJsonLine({ code, message, ...members }));
      else writeWords(message);
    },
    writeError,
    canErase,
    showStatus(text) {
      eraseStatus();
      if (text === '' || !canErase) return;
      // The last column stays free: a full line would wrap.
      writeRaw(showUnsafe(text).slice(0, stderr.width - 1));
      hasStatus = true;
    },
  };
}

/** One line of JSON on stderr, safe to print. */
export function formatJsonLine(members: Readonly<Record<string, unknown>>): string {
  return `${escapeUnsafe(JSON.stringify(members))}\n`;
}

/** Words for a screen: safe to print, on a terminal broken between words, further lines indented. */
export function fitWords(text: string, { isTerminal, width }: Screen, indent = ''): string {
  const wrapped = wrapWords(showUnsafe(text), isTerminal ? width - indent.length : undefined);
  return wrapped.replaceAll('\n', `\n${indent}`);
}

/** Breaks lines between words, so that a terminal does not break them inside one. */
export function wrapWords(text: string, width = Number.POSITIVE_INFINITY): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines.join('\n');
}

function describeScreen(open: () => OutputStream, options: TerminalOptions): Screen {
  const { NO_COLOR, FORCE_COLOR, TERM } = options.variables;
  const isTerminal = open().isTTY === true;
  const isForced = FORCE_COLOR !== undefined && isSwitchedOn(FORCE_COLOR);
  const isDumb = TERM === 'dumb';
  const isPlain = !options.mayColor || Boolean(NO_COLOR) || isDumb || FORCE_COLOR === '0';
  return {
    isTerminal,
    hasEscapes: isTerminal && !isDumb,
    hasColor: !isPlain && (isTerminal || isForced),
    get width() {
      // A terminal that does not know its size says 0.
      return open().columns || 80;
    },
  };
}

function isSwitchedOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value);
}

const ERASE_LINE = '\r\u001b[K';

/** Windows calls it EOF. */
const readerLeft = new Set(['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

function write(stream: OutputStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(toOutputError(error)) : resolve()));
  });
}

function toOutputError(error: Error): Error {
  if ('code' in error && readerLeft.has(String(error.code)))
    return new OutputClosedError('The output was closed.', { cause: error });
  return new UserError('cli_output', `The output could not be written: ${messageOf(error)}.`, {
    cause: error,
  });
}

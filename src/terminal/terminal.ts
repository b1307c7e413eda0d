import type { Readable } from 'node:stream';
import type { OutputFormat } from '../contract/output-formats.ts';
import { type OutputStream, openSink, type Sink } from './sink.ts';
import type { Redactor } from './text/redactor.ts';
import { escapeUnsafe, showUnsafe } from './text/safe-text.ts';

/** The input stream; only its being a terminal matters here. */
export type InputStream = Readable & { isTTY?: boolean };

/** 0 nothing, 1 request lines, 2 headers too, 3 bodies too. */
export type Verbosity = 0 | 1 | 2 | 3;

export interface TerminalOptions {
  stdin: InputStream;
  stdout: OutputStream;
  stderr: OutputStream;
  redactor: Redactor;
  format: OutputFormat;
  color: 'auto' | 'always' | 'never';
  /** Overrides the width of the screen. */
  columns: number | undefined;
  isQuiet: boolean;
  verbosity: Verbosity;
  /** Nobody is to be asked: `--no-input`, or an automated build. */
  isUnattended: boolean;
}

/** Facts about one output stream. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  /** Width in columns now; it follows a resize. 80 when nothing says. */
  columns(): number;
}

/** The only way out of the program for text: data to stdout, all else to stderr. */
export interface Terminal {
  readonly format: OutputFormat;
  readonly isQuiet: boolean;
  readonly verbosity: Verbosity;
  /** Both ends of a conversation are terminals and asking was not forbidden. */
  readonly canAsk: boolean;
  readonly stdout: Screen & Sink;
  readonly stderr: Screen;
  /** A line for people, or with a machine format a JSON line with `type`, `message` and the members. `mark` colours it. Left out by --quiet. */
  notice(message: string, members?: Members, mark?: (text: string) => string): void;
  /** As `notice`, for what must be seen even with --quiet. */
  warn(message: string, members?: Members): void;
  /** A JSON line of this type for scripts; nothing for people, who are told in other words. */
  report(type: 'problem' | 'summary', message: string, members: Members): void;
  /** What --verbose asked to see: a line for people, or a JSON line of type `trace`. */
  trace(message: string): void;
  /** Lines that were made safe to print, to stderr. */
  writeError(text: string): void;
  /** This text must never be written, on any stream. */
  keepSecret(secret: string): void;
}

/** Members of a notice's JSON line. */
type Members = { readonly [name: string]: unknown };

export function isMachineFormat(format: OutputFormat): boolean {
  return format !== 'table';
}

/** Streams are touched only when something is written or asked of them: making each costs Node milliseconds at start-up. */
export function createTerminal(options: TerminalOptions): Terminal {
  const { format, isQuiet, verbosity, redactor } = options;
  const stdoutSink = once(() => openSink(options.stdout, redactor));
  const stderrSink = once(() => openSink(options.stderr, redactor));
  // A stderr that cannot be written leaves nobody to tell.
  const writeError = (text: string) =>
    void stderrSink()
      .write(text)
      .catch(() => {});
  const say = (type: string, message: string, members: Members, mark = keep) =>
    writeError(
      isMachineFormat(format)
        ? `${escapeUnsafe(JSON.stringify({ type, message, ...members }))}\n`
        : `${mark(showUnsafe(message))}\n`,
    );
  return {
    format,
    isQuiet,
    verbosity,
    get canAsk() {
      return !options.isUnattended && isTerminal(options.stdin) && isTerminal(options.stderr);
    },
    stdout: Object.assign(
      describeScreen(() => options.stdout, options),
      {
        write: (text: string) => stdoutSink().write(text),
        writeSecret: (text: string) => stdoutSink().writeSecret(text),
      },
    ),
    stderr: describeScreen(() => options.stderr, options),
    notice: (message, members = {}, mark = keep) => {
      if (!isQuiet) say('notice', message, members, mark);
    },
    warn: (message, members = {}) => say('warning', message, members),
    report: (type, message, members) => {
      if (isMachineFormat(format)) say(type, message, members);
    },
    trace: (message) => say('trace', message, {}),
    writeError,
    keepSecret: redactor.keepSecret,
  };
}

function describeScreen(stream: () => OutputStream, options: TerminalOptions): Screen {
  return {
    get isTerminal() {
      return isTerminal(stream());
    },
    get hasColor() {
      return options.color === 'always' || (options.color === 'auto' && isTerminal(stream()));
    },
    columns: () => options.columns ?? stream().columns ?? 80,
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function keep(text: string): string {
  return text;
}

function isTerminal(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}

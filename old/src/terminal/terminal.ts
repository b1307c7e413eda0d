import type { Readable } from 'node:stream';
import type { OutputFormat } from '../contract/output-formats.ts';
import type { ProblemMembers, SummaryMembers } from '../contract/outputs/import.ts';
import type { NoticeMembers } from '../contract/outputs/notice.ts';
import { createRedactor, type OutputStream, openSink, type Sink } from './sink.ts';
import { escapeUnsafe, showUnsafe } from './text/safe-text.ts';
import { foldText } from './text/width.ts';

/** The input stream, which may be a terminal. */
export type InputStream = Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

/** 0 nothing, 1 request lines, 2 headers too, 3 bodies too. */
export type Verbosity = 0 | 1 | 2 | 3;

export interface TerminalOptions {
  stdin: InputStream;
  stdout: OutputStream;
  stderr: OutputStream;
  /** Redacted from the first word on. */
  secrets: readonly string[];
  format: OutputFormat;
  color: 'auto' | 'always' | 'never';
  /** Overrides the width of the terminal. */
  columns: number | undefined;
  isQuiet: boolean;
  verbosity: Verbosity;
  /** Nothing that was printed is drawn again: for screen readers. */
  isAccessible: boolean;
  /** Never prompt: `--no-input`, or an automated build. */
  isUnattended: boolean;
}

/** Facts about one output stream. */
interface OutputInfo {
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  /** Width in columns now; it follows a resize. 80 when nobody knows. */
  columns(): number;
}

/** The only way out of the program for text: data to stdout, all else to stderr. */
export interface Terminal {
  readonly format: OutputFormat;
  readonly isQuiet: boolean;
  readonly verbosity: Verbosity;
  readonly isAccessible: boolean;
  /** Whether prompts are possible and allowed: stdin and stderr are terminals. */
  readonly canAsk: boolean;
  readonly stdout: OutputInfo & Sink;
  readonly stderr: OutputInfo;
  /** A line for people, or with a machine format a JSON line with `type`, `message` and the members. `mark` colors it. Left out by --quiet. */
  notice(message: string, members?: NoticeMembers, mark?: Mark): void;
  /** As `notice`, for what must be seen even with --quiet. */
  warn(message: string, members?: NoticeMembers): void;
  /** A JSON line of this type for scripts; people read other words. */
  report<T extends keyof Reports>(type: T, message: string, members: Reports[T]): void;
  /** What --verbose asked for: a line for people, or a JSON line of type `trace`. */
  trace(message: string): void;
  /** Lines that were made safe to print, to stderr. */
  writeError(text: string): void;
  /** From now on this text is redacted on every stream. */
  addSecret(secret: string): void;
}

/** What is reported to scripts only. */
interface Reports {
  problem: ProblemMembers;
  summary: SummaryMembers;
}

type Mark = (text: string) => string;

export function isMachineFormat(format: OutputFormat): boolean {
  return format !== 'table';
}

/** Cheap: no stream is touched before something is written or asked of it. */
export function createTerminal(options: TerminalOptions): Terminal {
  const { format, isQuiet, verbosity, isAccessible } = options;
  const redactor = createRedactor(options.secrets);
  const stdout = openSink(() => options.stdout, redactor);
  const stderr = openSink(() => options.stderr, redactor);
  // When stderr cannot be written, there is nowhere left to report it.
  const writeError = (text: string) => void stderr.write(text).catch(() => {});
  const info = describeOutput(() => options.stderr, options);
  const writeLine = (type: string, message: string, members: object, mark?: Mark) => {
    // A trace shows what was sent as it was sent.
    const shown = () =>
      type === 'trace' ? showUnsafe(message) : wrapLine(showUnsafe(message), info);
    writeError(
      isMachineFormat(format)
        ? `${escapeUnsafe(JSON.stringify({ type, message, ...members }))}\n`
        : `${(mark ?? String)(shown())}\n`,
    );
  };
  return {
    format,
    isQuiet,
    verbosity,
    isAccessible,
    get canAsk() {
      // Of the two, Node is slower to open stdin.
      return !options.isUnattended && isTerminal(options.stderr) && isTerminal(options.stdin);
    },
    stdout: Object.assign(
      describeOutput(() => options.stdout, options),
      stdout,
    ),
    stderr: info,
    notice: (message, members = {}, mark) => {
      if (!isQuiet) writeLine('notice', message, members, mark);
    },
    warn: (message, members = {}) => writeLine('warning', message, members),
    report: (type, message, members) => {
      if (isMachineFormat(format)) writeLine(type, message, members);
    },
    trace: (message) => writeLine('trace', message, {}),
    writeError,
    addSecret: redactor.addSecret,
  };
}

/** Text for people, broken at words where a terminal would break it anywhere. @param indent before further lines. */
export function wrapLine(
  text: string,
  { isTerminal, columns }: Pick<OutputInfo, 'isTerminal' | 'columns'>,
  indent = '',
): string {
  if (!isTerminal) return text;
  return foldText(text, columns() - indent.length).join(`\n${indent}`);
}

function describeOutput(stream: () => OutputStream, options: TerminalOptions): OutputInfo {
  return {
    get isTerminal() {
      return isTerminal(stream());
    },
    get hasColor() {
      return options.color === 'always' || (options.color === 'auto' && isTerminal(stream()));
    },
    // A terminal that does not know its width says 0.
    columns: () => options.columns ?? (stream().columns || 80),
  };
}

function isTerminal(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}

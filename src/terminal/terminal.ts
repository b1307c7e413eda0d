import type { Readable } from 'node:stream';
import type { LocalCode } from '../errors.ts';

export const outputFormats = ['table', 'json', 'ndjson', 'csv', 'ids'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** What the terminal needs of a standard stream. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string, done: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface InputStream extends Readable {
  readonly isTTY?: boolean;
}

export interface TerminalOptions {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly format: OutputFormat;
  /** `--quiet`: neither notices nor progress. */
  readonly isQuiet: boolean;
  /** False for `--no-input`. */
  readonly mayAsk: boolean;
  /** False for `--no-color`. */
  readonly mayColor: boolean;
}

/** The only place that writes to the standard streams. */
export interface Terminal {
  readonly format: OutputFormat;
  /** Somebody can be asked: stdin and stderr are terminals, and neither `--no-input` nor `CI` is set. */
  readonly isInteractive: boolean;
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly isQuiet: boolean;
  /** Writes data to stdout; resolves when the stream has taken it. @throws UserError `cli_output`, or OutputClosed. */
  write(text: string): Promise<void>;
  /** A line for people: only where stderr is a terminal, and not with `--quiet`. */
  notice(text: string): void;
  /** A warning: words, or a JSON line for scripts that read JSON. */
  warn(code: string, message: string, next?: readonly string[]): void;
}

/** What is known of a standard stream as a terminal. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  /** In columns; 80 where it is not known. */
  readonly width: number;
}

export function openTerminal(_options: TerminalOptions): Terminal {
  throw new Error('not written yet');
}

export type WarningCode = LocalCode | 'cli_more_pets' | 'cli_already_imported';

import type { OutputStream } from '../sink.ts';
import type { InputStream } from '../terminal.ts';

/** Returns what is wrong with an answer, or undefined for a valid one. */
type Check = (answer: string) => string | undefined;

interface TextOptions {
  check?: Check;
  /** What Enter alone takes. */
  preset?: string | undefined;
}

/** Asks a person. Answers arrive on stdin; everything shown goes to stderr. */
export interface Prompt {
  askText(message: string, options?: TextOptions): Promise<string>;
  /** What is typed is not shown. */
  askSecret(message: string): Promise<string>;
  askChoice<T extends string>(message: string, choices: readonly T[], preset?: T): Promise<T>;
  /** Enter alone means no. */
  askConfirm(message: string): Promise<boolean>;
}

/** The person left the prompt: Ctrl-C, or a closed stdin. Its message says so in words for them. */
export class PromptClosedError extends Error {
  override readonly name = 'PromptClosedError';
  /** The line that goes on with what was typed. */
  readonly next: readonly string[];

  constructor(message: string, options: ErrorOptions & { next?: readonly string[] } = {}) {
    super(message, options);
    this.next = options.next ?? [];
  }
}

/** Where answers come from and prompts go; opened by the first prompt. */
export interface PromptStreams {
  readonly stdin: InputStream;
  readonly stderr: OutputStream;
}

export interface PromptOptions {
  /** Ends a prompt. */
  readonly signal: AbortSignal;
  /** Line by line, numbered, without redrawing. */
  readonly isAccessible: boolean;
  /** Width of the terminal now. */
  columns(): number;
}

import type { InputStream, OutputStream } from './terminal.ts';

/** Returns what is wrong with an answer, in words, or undefined for a good one. What was typed stays in the line. */
export type Check = (answer: string) => string | undefined | Promise<string | undefined>;

export interface TextOptions {
  readonly check?: Check;
  /** What Enter alone gives. */
  readonly default?: string | undefined;
}

export interface Choice<T> {
  readonly name: string;
  readonly value: T;
}

/** Asks the person at the terminal. Each function throws UserError `cli_interrupted` on Ctrl-C and where stdin is closed. */
export interface Prompts {
  askText(message: string, options?: TextOptions): Promise<string>;
  /** What is typed is not shown. */
  askSecret(message: string, check?: Check): Promise<string>;
  askChoice<T>(message: string, choices: readonly Choice<T>[], preset?: T): Promise<T>;
  /** @param whenEnter what Enter alone means. */
  askConfirm(message: string, whenEnter: boolean): Promise<boolean>;
}

export interface PromptStreams {
  readonly stdin: InputStream;
  readonly stderr: OutputStream;
  readonly signal: AbortSignal;
}

export function createPrompts(_streams: PromptStreams): Prompts {
  throw new Error('not written yet');
}

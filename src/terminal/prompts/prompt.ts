import type { Writable } from 'node:stream';
import type { OutputStream } from '../sink.ts';
import type { InputStream } from '../terminal.ts';
import { showUnsafe } from '../text/safe-text.ts';
import { watchTerminal } from './watch-terminal.ts';

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
}

/** Where answers come from and prompts go; opened by the first prompt. */
export interface PromptStreams {
  readonly stdin: InputStream;
  readonly stderr: OutputStream;
}

/** Prompts by inquirer, which the first prompt loads. */
export function createPrompt(streams: PromptStreams, signal: AbortSignal): Prompt {
  const ask = async (spec: PromptSpec): Promise<unknown> => {
    const { createPromptModule } = await import('inquirer');
    const { stdin } = streams;
    const output = await expectTerminal(streams.stderr);
    const end = watchTerminal(stdin, signal);
    const prompt = createPromptModule({ input: stdin, output, signal: end.signal });
    try {
      // A prompt may quote what others wrote.
      const message = showUnsafe(spec.message);
      const answers = await prompt([{ ...spec, message, name: 'answer' }]);
      return answers.answer;
    } catch (cause) {
      if (!isLeaving(cause)) throw cause;
      const undone = spec.type === 'password' ? 'stored' : 'added';
      throw new PromptClosedError(`Stopped; nothing was ${undone}.`, { cause });
    } finally {
      end.forget();
    }
  };
  return {
    askText: async (message, { check = () => undefined, preset } = {}) => {
      const validate = (answer: string) => check(answer) ?? true;
      return String(await ask({ type: 'input', message, validate, default: preset, theme }));
    },
    askSecret: async (message) =>
      // Without its switch to clear text, which others could see and a recording would keep.
      String(await ask({ type: 'password', message, toggleMask: false })),
    askChoice: async (message, choices, preset) => {
      const answer = await ask({ type: 'select', message, choices: [...choices], default: preset });
      const choice = choices.find((one) => one === answer);
      if (choice === undefined) throw new Error(`inquirer returned ${String(answer)}`);
      return choice;
    },
    askConfirm: async (message) =>
      (await ask({ type: 'confirm', message, default: false })) === true,
  };
}

/** In words: a number in brackets says nothing to somebody who sees it for the first time. */
const theme = { style: { defaultAnswer: (text: string) => `(Enter takes ${text})` } };

type PromptSpec =
  | {
      type: 'input';
      message: string;
      validate: (answer: string) => string | true;
      default: string | undefined;
      theme: typeof theme;
    }
  | { type: 'password'; message: string; toggleMask: false }
  | { type: 'select'; message: string; choices: string[]; default: string | undefined }
  | { type: 'confirm'; message: string; default: boolean };

function isLeaving(error: unknown): boolean {
  return error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name);
}

/** Nobody is asked without a terminal, and a terminal is a stream of Node's own. */
async function expectTerminal(stream: OutputStream): Promise<Writable> {
  const { Writable } = await import('node:stream');
  if (!(stream instanceof Writable)) throw new Error('A prompt needs a terminal');
  return stream;
}

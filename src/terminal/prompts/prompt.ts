import type { Writable } from 'node:stream';
import type { OutputStream } from '../sink.ts';
import type { InputStream } from '../terminal.ts';
import { showUnsafe } from '../text/safe-text.ts';

/** Returns what is wrong with an answer, or undefined when it will do. */
type Check = (answer: string) => string | undefined;

/** Questions to a person. The answers arrive on stdin; everything shown goes to stderr. */
export interface Prompt {
  askText(message: string, check?: Check): Promise<string>;
  /** Nothing of the answer is shown. */
  askSecret(message: string): Promise<string>;
  askChoice<T extends string>(message: string, choices: readonly T[], preset?: T): Promise<T>;
  /** The answer to Enter alone is no. */
  askConfirm(message: string): Promise<boolean>;
}

/** The person left the question: Ctrl-C, or a closed stdin. */
export class PromptClosedError extends Error {
  override readonly name = 'PromptClosedError';
}

/** Where answers come from and questions go; looked at when the first question is asked. */
export interface PromptStreams {
  readonly stdin: InputStream;
  readonly stderr: OutputStream;
}

/** Prompts by inquirer, which is loaded when the first question is asked. */
export function createPrompt(streams: PromptStreams, signal: AbortSignal): Prompt {
  const ask = async (question: Question): Promise<unknown> => {
    const { createPromptModule } = await import('inquirer');
    const { stdin } = streams;
    const output = await expectScreen(streams.stderr);
    const end = watchEnd(stdin, signal);
    const prompt = createPromptModule({ input: stdin, output, signal: end.signal });
    try {
      // A question may quote what others wrote.
      const message = showUnsafe(question.message);
      const answers = await prompt([{ ...question, message, name: 'answer' }]);
      return answers.answer;
    } catch (cause) {
      throw isLeaving(cause)
        ? new PromptClosedError('The question was left unanswered', { cause })
        : cause;
    } finally {
      end.forget();
    }
  };
  return {
    askText: async (message, check = () => undefined) =>
      String(await ask({ type: 'input', message, validate: (answer) => check(answer) ?? true })),
    askSecret: async (message) => String(await ask({ type: 'password', message })),
    askChoice: async (message, choices, preset) => {
      const answer = await ask({ type: 'select', message, choices: [...choices], default: preset });
      const choice = choices.find((one) => one === answer);
      if (choice === undefined) throw new Error(`inquirer answered ${String(answer)}`);
      return choice;
    },
    askConfirm: async (message) =>
      (await ask({ type: 'confirm', message, default: false })) === true,
  };
}

/** Aborts when the program is asked to stop or stdin ends: inquirer would wait for good for an answer that cannot come. */
function watchEnd(stdin: InputStream, signal: AbortSignal) {
  const controller = new AbortController();
  const leave = () => controller.abort();
  signal.addEventListener('abort', leave);
  stdin.once('end', leave).once('close', leave);
  if (signal.aborted || stdin.readableEnded || stdin.destroyed) leave();
  return {
    signal: controller.signal,
    forget() {
      signal.removeEventListener('abort', leave);
      stdin.off('end', leave).off('close', leave);
    },
  };
}

type Question =
  | { type: 'input'; message: string; validate: (answer: string) => string | true }
  | { type: 'password'; message: string }
  | { type: 'select'; message: string; choices: string[]; default: string | undefined }
  | { type: 'confirm'; message: string; default: boolean };

function isLeaving(error: unknown): boolean {
  return error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name);
}

/** Nobody is asked without a screen, and a screen is a stream of Node's own. */
async function expectScreen(stream: OutputStream): Promise<Writable> {
  const { Writable } = await import('node:stream');
  if (!(stream instanceof Writable)) throw new Error('A question needs a screen');
  return stream;
}

import type { Writable } from 'node:stream';
import type { InputStream } from '../terminal.ts';
import { showUnsafe } from '../text/safe-text.ts';
import { foldText } from '../text/width.ts';
import { openFrame } from './open-frame.ts';
import {
  type Prompt,
  PromptClosedError,
  type PromptOptions,
  type PromptStreams,
} from './prompt.ts';
import { watchTerminal } from './watch-terminal.ts';

/** Prompts that are redrawn while somebody types. */
export function createMenuPrompt(streams: PromptStreams, options: PromptOptions): Prompt {
  /** What does not fit beside the prompt's mark goes on the next line, at words. */
  const fold = (text: string) => foldText(showUnsafe(text), options.columns() - 3).join('\n');
  const ask = async <T>(
    undone: string,
    run: (context: PromptContext) => Promise<T>,
  ): Promise<T> => {
    const { stdin } = streams;
    const { output, redraw } = openFrame(streams.stderr, options.columns);
    const terminal = watchTerminal(stdin, options.signal, { isRaw: true, redraw });
    try {
      return await run({ input: stdin, output, signal: terminal.signal });
    } catch (cause) {
      if (!isLeaving(cause)) throw cause;
      throw new PromptClosedError(`Stopped; nothing was ${undone}.`, { cause });
    } finally {
      terminal.forget();
    }
  };
  const askBy = async (undone: string, spec: PromptSpec): Promise<unknown> => {
    const { createPromptModule } = await import('inquirer');
    return await ask(undone, async (context) => {
      const answers = await createPromptModule(context)([{ ...spec, name: 'answer' }]);
      return answers.answer;
    });
  };
  return {
    async askText(message, { check = () => undefined, preset } = {}) {
      const complete = (typed: string) => (typed === '' && preset !== undefined ? preset : typed);
      const typed = await askBy('added', {
        type: 'input',
        message: fold(preset === undefined ? message : `${message} (Enter takes ${preset})`),
        validate: (answer) => {
          const problem = check(complete(answer));
          return problem === undefined ? true : fold(problem);
        },
        transformer: (answer, { isFinal }) => (isFinal ? complete(answer) : answer),
      });
      return complete(String(typed));
    },
    askSecret: async (message) => {
      const theme = { style: { maskedText: '' } };
      // Without its switch to clear text, which others could see and a recording would keep.
      const spec = { type: 'password', message: fold(message), toggleMask: false, theme } as const;
      return String(await askBy('stored', spec));
    },
    async askChoice(message, choices, preset) {
      const { selectPrompt } = await import('./select-prompt.ts');
      const spec = { message: fold(message), choices, preset };
      const answer = await ask('added', (context) => selectPrompt(spec, context));
      const choice = choices.find((one) => one === answer);
      if (choice === undefined) throw new Error(`The menu returned ${answer}`);
      return choice;
    },
    askConfirm: async (message) =>
      (await askBy('added', { type: 'confirm', message: fold(message), default: false })) === true,
  };
}

interface PromptContext {
  input: InputStream;
  output: Writable;
  signal: AbortSignal;
}

type PromptSpec =
  | {
      type: 'input';
      message: string;
      validate: (answer: string) => string | true;
      transformer: (answer: string, state: { isFinal: boolean }) => string;
    }
  | {
      type: 'password';
      message: string;
      toggleMask: false;
      theme: { style: { maskedText: string } };
    }
  | { type: 'confirm'; message: string; default: boolean };

function isLeaving(error: unknown): boolean {
  return error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name);
}

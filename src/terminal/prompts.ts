import { UserError } from '../errors.ts';
import { showUnsafe } from './safe-text.ts';
import { type Streams, wrapWords } from './terminal.ts';

/** Returns what is wrong with what was typed, in words, or undefined. What was typed stays in the line where it is shown. */
type Check = (typed: string) => string | undefined | Promise<string | undefined>;

interface TextOptions {
  readonly check?: Check | undefined;
  /** What Enter alone gives. */
  readonly default?: string | undefined;
}

interface Choice<T> {
  readonly name: string;
  readonly value: T;
}

/** Asks the person at the terminal. Each function throws UserError `cli_interrupted` on Ctrl-C and where stdin ends. */
export interface Prompts {
  askText(message: string, options?: TextOptions): Promise<string>;
  /** What is typed is not shown, and so does not stay in the line after a problem. */
  askSecret(message: string, check?: Check): Promise<string>;
  askChoice<T>(message: string, choices: readonly Choice<T>[], preset?: T): Promise<T>;
  /** @param whenEnter what Enter alone means. */
  askConfirm(message: string, whenEnter: boolean): Promise<boolean>;
}

/** Asks on stderr; inquirer is loaded by the first prompt. @param signal ends a prompt. */
export function createPrompts(streams: Streams, signal: AbortSignal): Prompts {
  const ask = (question: Question) => askUntilClosed(streams, signal, question);
  return {
    async askText(message, { check, default: whenEnter } = {}) {
      const entered = await ask({
        type: 'input',
        message: wrapMessage(message, streams),
        validate: toValidate(check, streams),
        ...(whenEnter !== undefined && { default: whenEnter }),
      });
      return String(entered);
    },
    async askSecret(message, check = () => undefined) {
      // Without inquirer's switch to clear text, which others could see and a recording would keep.
      const hidden = {
        type: 'password',
        message: wrapMessage(message, streams),
        toggleMask: false,
      } as const;
      for (;;) {
        const typed = String(await ask(hidden));
        const problem = await check(typed);
        if (problem === undefined) return typed;
        streams.stderr.write(`${wrapProblem(problem, streams)}\n`);
      }
    },
    async askChoice(message, choices, preset) {
      const index = await ask({
        type: 'select',
        message: wrapMessage(message, streams),
        choices: choices.map(({ name }, at) => ({ name: showUnsafe(name), value: at })),
        default: choices.findIndex(({ value }) => value === preset),
      });
      const choice = choices[Number(index)];
      if (choice === undefined) throw new Error(`The prompt returned ${index}.`);
      return choice.value;
    },
    askConfirm: async (message, whenEnter) =>
      (await ask({
        type: 'confirm',
        message: wrapMessage(message, streams),
        default: whenEnter,
      })) === true,
  };
}

type Question =
  | { type: 'input'; message: string; validate: Validate; default?: string }
  | { type: 'password'; message: string; toggleMask: false }
  | { type: 'select'; message: string; choices: { name: string; value: number }[]; default: number }
  | { type: 'confirm'; message: string; default: boolean };

type Validate = (typed: string) => Promise<string | true>;

function toValidate(check: Check = () => undefined, streams: Streams): Validate {
  return async (typed) => {
    const problem = await check(typed);
    return problem === undefined ? true : wrapProblem(problem, streams);
  };
}

/** inquirer puts `> ` before it. */
function wrapProblem(problem: string, { stderr }: Streams): string {
  return wrapWords(showUnsafe(problem), (stderr.columns || 80) - '> '.length);
}

/** inquirer puts a mark before it and the choice behind it. */
function wrapMessage(message: string, { stderr }: Streams): string {
  return wrapWords(showUnsafe(message), (stderr.columns || 80) - '?  (Y/n)'.length);
}

/** A prompt whose stdin ends would wait for ever, and the program would end as if all were well. */
async function askUntilClosed(
  { stdin, stderr }: Streams,
  signal: AbortSignal,
  question: Question,
): Promise<unknown> {
  const closed = new AbortController();
  const close = () => closed.abort();
  stdin.once('end', close).once('close', close);
  if (stdin.readableEnded || stdin.destroyed) close();
  try {
    const { createPromptModule } = await import('inquirer');
    const ends = AbortSignal.any([signal, closed.signal]);
    const prompt = createPromptModule({ input: stdin, output: stderr, signal: ends });
    return (await prompt([{ ...question, name: 'answer' }])).answer;
  } catch (error) {
    if (!isStop(error)) throw error;
    throw new UserError('cli_interrupted', 'Stopped; nothing was changed.', { cause: error });
  } finally {
    stdin.off('end', close).off('close', close);
  }
}

function isStop(error: unknown): boolean {
  return error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name);
}

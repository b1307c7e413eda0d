import { UserError } from '../errors.ts';
import { emphasizeCare } from './emphasis.ts';
import { showUnsafe } from './safe-text.ts';
import { type Screen, type Streams, wrapWords } from './terminal.ts';
import { type InputOptions, openTypedInput, type TypedInput } from './typed-input.ts';
import { nameUnused, splitTyped } from './typed-lines.ts';

/** Returns what is wrong with what was typed, in words, or undefined. */
type Check = (typed: string) => string | undefined | Promise<string | undefined>;

interface TextOptions {
  readonly check?: Check;
  /** What stands in the line already. */
  readonly typed?: string;
}

interface Choice<T> {
  readonly name: string;
  readonly value: T;
}

/** Asks the person at the terminal. Each function throws UserError `cli_interrupted` on Ctrl-C and where stdin ends. */
export interface Prompts {
  /** Asks again while `check` finds something wrong; what was typed stays in the line. */
  askText(message: string, options?: TextOptions): Promise<string>;
  /** The line that was typed, or all that were pasted. What is behind their last Enter is in the next such prompt. */
  askLines(message: string, typed?: string): Promise<readonly string[]>;
  /** A `*` is shown for each character. */
  askSecret(message: string): Promise<string>;
  askChoice<T>(message: string, choices: readonly Choice<T>[], preset?: T): Promise<T>;
  /** @param whenEnter what Enter alone means. */
  askConfirm(message: string, whenEnter: boolean): Promise<boolean>;
  /** What is wrong with what was typed, before it is asked for again. */
  say(text: string): void;
}

export interface PromptOptions extends Pick<InputOptions, 'suspend'> {
  readonly screen: Screen;
  /** Ends a prompt. */
  readonly signal: AbortSignal;
  /** Called when the terminal is gone. */
  readonly hangUp: () => void;
  /** Where a write goes to that needs care, in front of each question; undefined elsewhere. */
  readonly findMark: () => string | undefined;
}

/** Asks on stderr; inquirer is loaded by the first prompt. */
export function createPrompts(streams: Streams, options: PromptOptions): Prompts {
  const say = (text: string) =>
    void streams.stderr.write(`${wrapWords(showUnsafe(text), options.screen.width)}\n`);
  /** What stands behind the last Enter of pasted lines, for the next prompt that takes some. */
  let kept = '';

  /** Draws one question, and takes what came with its Enter. A line is typed ahead; a yes or a choice is not. */
  async function ask(question: Question, { typed = '', takesLines = false }: AskOptions = {}) {
    const isLine = question.type === 'input' || question.type === 'password';
    const isHidden = question.type === 'password';
    const { draw, input, close } = await openQuestion(streams, options, question);
    try {
      const before = isLine ? '' : await takeHeld(input);
      nameLines(splitTyped(`${before}\n`).lines);
      const answer = await draw(takesLines ? typed + kept : typed);
      const { lines, last } = splitTyped(await takeHeld(input));
      if (takesLines) kept = last;
      else nameLines(splitTyped(`${last}\n`).lines, isHidden);
      if (!takesLines) nameLines(lines, isHidden);
      return { answer, more: lines };
    } finally {
      close();
    }
  }

  const nameLines = (lines: readonly string[], isHidden = false) => {
    if (lines.length > 0) say(nameUnused(lines, isHidden));
  };

  return {
    say,
    async askText(message, { check = () => undefined, typed = '' } = {}) {
      for (let text = typed; ; ) {
        text = String((await ask({ type: 'input', message }, { typed: text })).answer);
        const problem = await check(text);
        if (problem === undefined) return text;
        say(problem);
      }
    },
    async askLines(message, typed) {
      const { answer, more } = await ask(
        { type: 'input', message },
        { ...(typed !== undefined && { typed }), takesLines: true },
      );
      return [String(answer), ...more];
    },
    // Without inquirer's switch to clear text, which others could see and a recording would have.
    async askSecret(message) {
      const hidden = { type: 'password', message, mask: '*', toggleMask: false } as const;
      return String((await ask(hidden)).answer);
    },
    async askChoice(message, choices, preset) {
      const { answer } = await ask({
        type: 'select',
        message,
        choices: choices.map(({ name }, at) => ({ name: showUnsafe(name), value: at })),
        default: choices.findIndex(({ value }) => value === preset),
      });
      const choice = choices[Number(answer)];
      if (choice === undefined) throw new Error(`The prompt returned ${answer}.`);
      return choice.value;
    },
    askConfirm: async (message, whenEnter) =>
      (await ask({ type: 'confirm', message, default: whenEnter })).answer === true,
  };
}

interface AskOptions {
  /** What stands in the line already. */
  readonly typed?: string | undefined;
  /** What was pasted is returned, not named. */
  readonly takesLines?: boolean;
}

type Question = { readonly message: string } & (
  | { type: 'input' }
  | { type: 'password'; mask: '*'; toggleMask: false }
  | { type: 'select'; choices: { name: string; value: number }[]; default: number }
  | { type: 'confirm'; default: boolean }
);

async function openQuestion(
  { stdin, stderr }: Streams,
  { screen, signal, suspend, hangUp, findMark }: PromptOptions,
  question: Question,
) {
  const { createPromptModule } = await import('inquirer');
  const closed = new AbortController();
  const onClosed = () => {
    hangUp();
    closed.abort();
  };
  if (stdin.readableEnded || stdin.destroyed) onClosed();
  const input = openTypedInput(stdin, { onClosed, suspend });
  const isOneLine = question.type === 'confirm';
  const draw = async (typed: string): Promise<unknown> => {
    const redrawKeys = question.type === 'select' ? '\u001b[B\u001b[A' : ' \u007f';
    const line = input.openLine({ isOneLine, redrawKeys });
    // Ctrl-D.
    line.once('pause', () => closed.abort());
    input.type(typed);
    const ends = AbortSignal.any([signal, closed.signal]);
    const prompt = createPromptModule({ input: line, output: stderr, signal: ends });
    const drawn = { ...question, ...dressQuestion(question, screen, findMark()) };
    try {
      return (await prompt([{ ...drawn, name: 'answer' }])).answer;
    } catch (error) {
      throw isStop(error) ? createStop(error) : error;
    }
  };
  return { draw, input, close: input.close };
}

async function takeHeld(input: TypedInput): Promise<string> {
  const text = await input.takeHeld();
  if (text.includes('\u0003')) throw createStop();
  return text;
}

/** Where care is needed, the question is in its color, behind the place unless it names that itself. */
function dressQuestion({ message, type }: Question, screen: Screen, mark: string | undefined) {
  const place = mark === undefined || type === 'confirm' ? '' : `${mark} `;
  // inquirer puts a mark before it and the choice behind it.
  const text = wrapWords(showUnsafe(message), screen.width - `${place}?  (Y/n)`.length);
  if (mark === undefined) return { message: text };
  const emphasize = (part: string) => emphasizeCare(part, screen.hasColor);
  const theme = { prefix: { idle: emphasize(`${place}?`) }, style: { message: emphasize } };
  return { message: text, theme };
}

function isStop(error: unknown): boolean {
  return error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name);
}

function createStop(cause?: unknown): UserError {
  return new UserError('cli_interrupted', 'Stopped; nothing was changed.', { cause });
}

import { UserError } from '../errors.ts';
import {
  type Choice,
  createStop,
  drawQuestion,
  formatAccepted,
  type Question,
  type QuestionOptions,
} from './question.ts';
import { showUnsafe } from './safe-text.ts';
import { type Streams, wrapWords } from './terminal.ts';
import { openTypedInput, type TypedInput } from './typed-input.ts';
import { nameUnused, splitTyped } from './typed-lines.ts';

/** What a response means, or in words what is wrong with it. */
export type Checked<T> =
  | { readonly value: T }
  /** `isDropped`: it is not put in the line again, where others could read it. */
  | { readonly problem: string; readonly isDropped?: boolean };

/**
 * Asks the person at the terminal. A response that `check` finds wrong is taken from the screen and asked for again, with
 * its text in the line. Each function throws UserError `cli_interrupted` on Ctrl-C and where stdin ends.
 */
export interface Prompts {
  askText<T>(message: string, check: Check<string, T>, typed?: string): Promise<T>;
  /** The line that was typed, or all that were pasted. What is behind their last Enter is in the next such prompt. */
  askLines<T>(message: string, check: Check<readonly string[], T>, typed?: string): Promise<T>;
  /** A `*` is shown for each character. */
  askSecret<T>(toMessage: (refusals: number) => string, check: Check<string, T>): Promise<T>;
  askChoice<T>(message: string, choices: readonly Choice<T>[], preset?: T): Promise<T>;
  /** @param whenEnter what Enter alone means. */
  askConfirm(message: string, whenEnter: boolean): Promise<boolean>;
}

/** @param refusals how many responses were wrong before. */
type Check<Response, T> = (
  response: Response,
  refusals: number,
) => Checked<T> | Promise<Checked<T>>;

export interface PromptOptions extends QuestionOptions {
  readonly hangUp: () => void;
  readonly suspend: () => Promise<void>;
}

/** Asks on stderr; inquirer is loaded by the first prompt. */
export function createPrompts(streams: Streams, options: PromptOptions): Prompts {
  const { screen, suspend, hangUp } = options;
  const say = (text: string) =>
    void streams.stderr.write(`${wrapWords(showUnsafe(text), screen.width)}\n`);
  const nameLines = (lines: readonly string[], isHidden = false) => {
    if (lines.length > 0) say(nameUnused(lines, isHidden));
  };
  /** What stands behind the last Enter of pasted lines, for the next prompt that takes some. */
  let kept = '';

  /** Asks one question, and takes what came with its Enter. A line is typed ahead; a yes or a choice is not. */
  async function ask(question: Question, { typed = '', takesLines = false }: AskOptions = {}) {
    if (!screen.hasEscapes) throw explainDumbTerminal();
    const isHidden = question.type === 'password';
    const isLine = isHidden || question.type === 'input';
    const closed = new AbortController();
    const onClosed = () => {
      hangUp();
      closed.abort();
    };
    const { stdin } = streams;
    if (stdin.readableEnded || stdin.destroyed) onClosed();
    const input = openTypedInput(stdin, { onClosed, suspend });
    const draw = (text: string) =>
      drawQuestion(question, { ...options, input, closed, stderr: streams.stderr }, text);
    try {
      if (!isLine) nameLines(splitTyped(`${await takeHeld(input)}\n`).lines);
      let response = await draw(takesLines ? typed + kept : typed);
      while (response === undefined) {
        say(nameUnused(splitTyped(`${await takeHeld(input)}\n`).lines));
        response = await draw('');
      }
      const { lines, last } = splitTyped(await takeHeld(input));
      if (takesLines) kept = last;
      else nameLines([...lines, ...splitTyped(`${last}\n`).lines], isHidden);
      return { response, more: lines };
    } finally {
      input.close();
    }
  }

  const accept = (question: Question, response: unknown) =>
    void streams.stderr.write(formatAccepted(question, response, options));

  async function askUntil<T>(
    toQuestion: (refusals: number) => Question,
    check: Check<readonly string[], T>,
    { typed, ...askOptions }: AskOptions = {},
  ): Promise<T> {
    for (let refusals = 0, text = typed; ; refusals += 1) {
      const question = toQuestion(refusals);
      const { response, more } = await ask(question, { ...askOptions, typed: text });
      const checked = await check([String(response), ...more], refusals);
      if ('value' in checked) {
        accept(question, response);
        return checked.value;
      }
      say(checked.problem);
      const isKept = question.type === 'input' && more.length === 0 && !checked.isDropped;
      text = isKept ? String(response).trim() : '';
    }
  }

  return {
    askText: (message, check, typed = '') =>
      askUntil(
        () => ({ type: 'input', message }),
        ([line = ''], refusals) => check(line, refusals),
        { typed },
      ),
    askLines: (message, check, typed = '') =>
      askUntil(() => ({ type: 'input', message }), check, { typed, takesLines: true }),
    askSecret: (toMessage, check) =>
      askUntil(
        (refusals) => ({ type: 'password', message: toMessage(refusals) }),
        ([line = ''], refusals) => check(line, refusals),
      ),
    async askChoice(message, choices, preset) {
      const at = choices.findIndex(({ value }) => value === preset);
      const question = { type: 'select', message, choices, preset: at } as const;
      const { response } = await ask(question);
      const choice = choices[Number(response)];
      if (choice === undefined) throw new Error(`The prompt returned ${response}.`);
      accept(question, response);
      return choice.value;
    },
    async askConfirm(message, whenEnter) {
      const question = { type: 'confirm', message, whenEnter } as const;
      const { response } = await ask(question);
      accept(question, response);
      return response === true;
    },
  };
}

interface AskOptions {
  /** What stands in the line already. */
  readonly typed?: string | undefined;
  /** What was pasted is returned, not named. */
  readonly takesLines?: boolean;
}

/** Ctrl-C and Ctrl-D, which a program that types for a person sends behind its last line. */
const stopKeys = ['\u0003', '\u0004'];

async function takeHeld(input: TypedInput): Promise<string> {
  const text = await input.takeHeld();
  if (stopKeys.some((key) => text.includes(key))) throw createStop();
  return text;
}

function explainDumbTerminal(): UserError {
  return new UserError(
    'cli_input_required',
    'This terminal cannot show a question: TERM is dumb.',
    { details: ['with --no-input nothing is asked, and an error says what to type instead'] },
  );
}

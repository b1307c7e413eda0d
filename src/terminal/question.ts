import { UserError } from '../errors.ts';
import { emphasizeCare, emphasizeHeading, emphasizeResponse } from './emphasis.ts';
import { showUnsafe } from './safe-text.ts';
import { type Screen, type Streams, wrapWords } from './terminal.ts';
import type { TypedInput } from './typed-input.ts';

export interface Choice<T> {
  readonly name: string;
  readonly value: T;
}

export type Question = { readonly message: string } & (
  | { readonly type: 'input' | 'password' }
  | {
      readonly type: 'select';
      readonly choices: readonly Choice<unknown>[];
      /** The place of the first choice; -1 for none. */
      readonly preset: number;
    }
  | { readonly type: 'confirm'; readonly whenEnter: boolean }
);

export interface QuestionOptions {
  readonly screen: Screen;
  readonly signal: AbortSignal;
  /** Where a write goes to that needs care, in front of each question; undefined elsewhere. */
  readonly findMark: () => string | undefined;
}

interface DrawOptions extends QuestionOptions, Pick<Streams, 'stderr'> {
  readonly input: TypedInput;
  /** Aborted where stdin ends. */
  readonly closed: AbortController;
}

/**
 * Draws a question by inquirer, and takes it from the screen. Returns text, the place of a choice, or yes or no; undefined
 * where several lines came at once that are no response. @throws UserError `cli_interrupted`
 */
export async function drawQuestion(
  question: Question,
  { input, closed, stderr, screen, signal, findMark }: DrawOptions,
  typed: string,
): Promise<unknown> {
  const { createPromptModule } = await import('inquirer');
  const several = new AbortController();
  const line = input.openLine({
    redrawKeys: question.type === 'select' ? '\u001b[B\u001b[A' : ' \u007f',
    ...(question.type === 'confirm' && { onSeveral: () => several.abort() }),
  });
  const ends = AbortSignal.any([signal, closed.signal, several.signal]);
  // Ctrl-D.
  line.once('pause', () => several.signal.aborted || closed.abort());
  input.type(typed);
  const prompt = createPromptModule({
    ...{ input: line, output: stderr, signal: ends },
    clearPromptOnDone: true,
  });
  try {
    const drawn = { ...toInquirer(question, screen, findMark()), name: 'response' };
    return (await prompt([drawn])).response;
  } catch (error) {
    if (several.signal.aborted) return undefined;
    throw isStop(error) ? createStop(error) : error;
  }
}

/** Where care is needed, the question is in its color, behind the place unless it names that itself. */
function toInquirer(question: Question, screen: Screen, mark: string | undefined) {
  const prefix = mark === undefined || question.type === 'confirm' ? '?' : `${mark} ?`;
  // inquirer puts the choice behind the message.
  const text = wrapWords(
    `${prefix} ${showUnsafe(question.message)}`,
    screen.width - ' (Y/n)'.length,
  );
  const emphasize = toEmphasis(screen, mark);
  const common = {
    message: text.slice(prefix.length).replace(/^ /, ''),
    theme: {
      prefix: { idle: emphasize(text.slice(0, prefix.length)) },
      style: { message: emphasize, ...(!screen.hasColor && plainStyle) },
    },
  };
  switch (question.type) {
    case 'input':
      return { ...common, type: 'input' } as const;
    case 'password':
      // Without inquirer's switch to clear text, which others could see and a recording would have.
      return { ...common, type: 'password', mask: '*', toggleMask: false } as const;
    case 'confirm':
      return { ...common, type: 'confirm', default: question.whenEnter } as const;
    case 'select': {
      const choices = question.choices.map(({ name }, value) => ({
        name: showUnsafe(name),
        value,
      }));
      return { ...common, type: 'select', choices, default: question.preset } as const;
    }
  }
}

/** inquirer colors without regard to what was asked for. */
const plainStyle = {
  answer: String,
  defaultAnswer: (text: string) => `(${text})`,
  error: (text: string) => `> ${text}`,
  highlight: String,
  keysHelpTip: (keys: readonly (readonly [string, string])[]) =>
    keys.map(([key, action]) => `${key} ${action}`).join(' • '),
};

function toEmphasis({ hasColor }: Screen, mark: string | undefined) {
  const emphasize = mark === undefined ? emphasizeHeading : emphasizeCare;
  return (text: string) => emphasize(text, hasColor);
}

/** Fonts of the older Windows console have no ✔. */
const DONE = process.platform === 'win32' ? '√' : '✔';

/** A question with its response, as it stays on the screen. */
export function formatAccepted(
  question: Question,
  response: unknown,
  { screen, findMark }: QuestionOptions,
): string {
  const start = `${DONE} ${showUnsafe(question.message)}`;
  const text = wrapWords(
    `${start} ${showUnsafe(formatResponse(question, response))}`,
    screen.width,
  );
  const emphasized = toEmphasis(screen, findMark())(text.slice(0, start.length));
  return `${emphasized}${emphasizeResponse(text.slice(start.length), screen.hasColor)}\n`;
}

function formatResponse(question: Question, response: unknown): string {
  switch (question.type) {
    case 'input':
      return String(response);
    case 'password':
      return '*'.repeat(String(response).length);
    case 'select':
      return question.choices[Number(response)]?.name ?? '';
    case 'confirm':
      return response === true ? 'Yes' : 'No';
  }
}

function isStop(error: unknown): boolean {
  return error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name);
}

export function createStop(cause?: unknown): UserError {
  return new UserError('cli_interrupted', 'Stopped; nothing was changed.', { cause });
}

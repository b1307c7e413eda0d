import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import {
  assertText,
  isolateVariables,
  petstoreCommand,
  type TestVariables,
} from './run-petstore.ts';
import { isLinux, isWine, skipUnless } from './system.ts';
import { createTemporaryFolder } from './temporary-folder.ts';
import { waitFor } from './wait-for.ts';

const PROMPT = 'ready>';
const atPrompt = new RegExp(`(?:^|\\n)${PROMPT}$`);
const pastPrompt = new RegExp(`(?<!(?:^|\\n)${PROMPT})$`);

/** A shell in a real terminal, in which `petstore` is the program; after it, the shell writes `exit 0` or another code. */
export interface TerminalSession {
  readonly home: string;
  /** Types a line at the shell's prompt and presses Enter. */
  run(line: string): Promise<void>;
  /** Types text as it stands. */
  type(text: string): Promise<void>;
  /** Presses keys by the names tmux has for them: `Enter`, `Down`, `C-c`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Types text and presses Enter. */
  enter(text?: string): Promise<void>;
  /** Pastes text in one piece, with an Enter for each line break. */
  paste(text: string): Promise<void>;
  /** Waits for a question, types a response and presses Enter. */
  answer(question: string | RegExp, text?: string): Promise<void>;
  /** What is on the terminal now, without blanks at the ends of lines. */
  read(): Promise<string>;
  /** The same with the escapes of its colors. */
  readColors(): Promise<string>;
  /** Waits until the text is on the terminal and returns all of it. */
  waitForText(text: string | RegExp): Promise<string>;
  /** Waits for the end of what `run` started and returns what is on the terminal, with its exit code. */
  waitForEnd(): Promise<string>;
  /** Empties the terminal, once the shell waits at its prompt. */
  clear(): Promise<void>;
  /** Closes the terminal while something runs in it. */
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly variables?: TestVariables;
  readonly home?: string;
  /** 80 unless given. */
  readonly columns?: number;
}

/** A single word tmux would give to the shell of whoever runs the tests. */
const shell = ['env', 'sh'] as const;

/** Opens a terminal of 80 x 24 on a tmux server of its own, which ends with the test. */
export async function openTerminalSession(options: SessionOptions = {}): Promise<TerminalSession> {
  skipUnless(isLinux, 'tmux');
  const home = options.home ?? (await createTemporaryFolder());
  const env = { ...isolateVariables(home), TERM: 'xterm-256color', ...options.variables };
  const server = ['-S', path.join(await createTemporaryFolder(), 'tmux'), '-f', '/dev/null'];
  const tmux = async (...words: readonly string[]) =>
    (await promisify(execFile)('tmux', [...server, ...words], { env })).stdout;
  const columns = String(options.columns ?? 80);
  await tmux('new-session', '-d', '-x', columns, '-y', '24', '-c', home, ...shell);
  const close = async () => void (await tmux('kill-server'));
  // A test may have closed it.
  onTestFinished(() => close().catch(() => {}));

  const read = async () => (await tmux('capture-pane', '-p')).trimEnd();
  const readColors = async () => (await tmux('capture-pane', '-pe')).trimEnd();
  const waitForText = (text: string | RegExp) =>
    waitFor(async () => assertText(await read(), text));
  const type = async (text: string) => void (await tmux('send-keys', '-l', '--', text));
  const press = async (...keys: readonly string[]) => void (await tmux('send-keys', ...keys));
  const paste = async (text: string) => {
    await tmux('set-buffer', '--', text);
    await tmux('paste-buffer', '-d');
  };
  const enter = async (text = '') => {
    if (text !== '') await type(text);
    await press('Enter');
  };
  const answer = async (question: string | RegExp, text?: string) => {
    await waitForText(question);
    await enter(text);
  };
  const run = async (line: string) => {
    // What is typed before the prompt is there would be shown twice.
    await waitForText(atPrompt);
    await type(line);
    // Else waiting for the end would find this prompt.
    await waitForText(pastPrompt);
    await press('Enter');
  };
  const clear = async () => {
    await run('clear');
    await waitForText(new RegExp(`^${PROMPT}$`));
  };
  const line = [...(isWine ? ['wine'] : []), ...petstoreCommand]
    .map((word) => `'${word}'`)
    .join(' ');
  // The prompt is the shell's own until all of this is done, so that it cannot be taken for the one that is waited for.
  await enter(`PS1='${PROMPT} '; petstore() { ${line} "$@"; echo "exit $?"; }; clear`);
  await waitForText(new RegExp(`^${PROMPT}$`));
  const waitForEnd = () => waitForText(atPrompt);
  return {
    home,
    run,
    type,
    press,
    enter,
    answer,
    paste,
    read,
    readColors,
    waitForText,
    waitForEnd,
    clear,
    close,
  };
}

/** Types a line at a new terminal. */
export async function runInTerminal(
  line: string,
  options?: SessionOptions,
): Promise<TerminalSession> {
  const terminal = await openTerminalSession(options);
  await terminal.run(line);
  return terminal;
}

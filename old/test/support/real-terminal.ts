import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { openTmuxClient } from './tmux-client.ts';
import { waitFor } from './wait-for.ts';

const run = promisify(execFile);

/** A real terminal of 30 lines with a program in it. */
export interface RealTerminal {
  /** Keys as tmux names them (`Tab`, `Enter`, `C-c`), or text that is typed as it stands. */
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** What is on the terminal now, without blanks at the ends of lines. */
  read(): Promise<string>;
  /** Waits until a text is on the terminal and returns all of it. */
  waitForText(text: string | RegExp): Promise<string>;
}

/** Starts a program in tmux, on a server of its own that ends with the test. */
export async function openRealTerminal(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  columns = 100,
): Promise<RealTerminal> {
  const terminal = await startRealTerminal(command, env, columns);
  onTestFinished(terminal.close);
  return terminal;
}

/** The same for several tests. Close it in `afterAll`. */
export async function startRealTerminal(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  columns = 100,
): Promise<RealTerminal & { close(): Promise<void> }> {
  const server = ['-L', `petstore-${randomUUID()}`, '-f', '/dev/null'];
  const clean = { PATH: process.env.PATH, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env };
  const start = ['new-session', '-d', '-x', String(columns), '-y', '30', ...command];
  await run('tmux', [...server, ...start], { env: clean });
  const tmux = openTmuxClient(server, clean);
  const read = async () => (await tmux.run('capture-pane', '-p')).trimEnd();
  return {
    read,
    close: tmux.close,
    press: async (...keys) => void (await tmux.run('send-keys', ...keys)),
    type: async (text) => void (await tmux.run('send-keys', '-l', text)),
    waitForText: (text) =>
      waitFor(async () => {
        const screen = await read();
        const isThere = typeof text === 'string' ? screen.includes(text) : text.test(screen);
        if (!isThere) throw new Error(`${text} is not on the terminal:\n${screen}`);
        return screen;
      }),
  };
}

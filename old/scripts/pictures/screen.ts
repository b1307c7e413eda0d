import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PATIENCE_MS = 15_000;

/** A shell in a real terminal, whose screen can be captured with its colors. */
export interface Screen {
  type(text: string): Promise<void>;
  /** Keys as tmux names them. */
  press(...keys: string[]): Promise<void>;
  waitFor(text: string | RegExp): Promise<void>;
  /** The screen's lines, with the escape sequences of their colors. */
  take(): Promise<string[]>;
  close(): Promise<void>;
}

export interface ScreenOptions {
  columns: number;
  rows: number;
  env: NodeJS.ProcessEnv;
  cwd: string;
}

/** Opens a shell in tmux, on a server of its own. */
export async function openScreen({ columns, rows, env, cwd }: ScreenOptions): Promise<Screen> {
  const server = `petstore-pictures-${randomUUID()}`;
  const tmux = async (...words: string[]) =>
    (await run('tmux', ['-L', server, '-f', '/dev/null', ...words], { env, cwd })).stdout;
  const size = ['-x', String(columns), '-y', String(rows)];
  await tmux('new-session', '-d', ...size, 'sh');
  const read = async (...flags: string[]) => (await tmux('capture-pane', '-p', ...flags)).trimEnd();
  return {
    type: async (text) => void (await tmux('send-keys', '-l', text)),
    press: async (...keys) => void (await tmux('send-keys', ...keys)),
    async waitFor(text) {
      const giveUp = Date.now() + PATIENCE_MS;
      const isThere = (screen: string) =>
        typeof text === 'string' ? screen.includes(text) : text.test(screen);
      while (!isThere(await read())) {
        if (Date.now() > giveUp) throw new Error(`${text} never came:\n${await read()}`);
        await pause(20);
      }
    },
    take: async () => (await read('-e')).split('\n'),
    close: async () => void (await tmux('kill-server')),
  };
}

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

/** A connection to a tmux server in its control mode: what is asked over it starts no program. */
export interface TmuxClient {
  /** What the command prints. @throws when it fails or the server has ended. */
  run(...words: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(text: string): void;
  reject(error: Error): void;
}

/** @param args the server's options. */
export function openTmuxClient(args: readonly string[], env: NodeJS.ProcessEnv): TmuxClient {
  const child = spawn('tmux', [...args, '-C', 'attach', '-f', 'no-output'], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting: Waiting[] = [];
  let response: { id: string; lines: string[] } | undefined;
  const receive = (line: string) => {
    // The response to `attach` itself, which this client did not ask for, has the flag 0.
    const [, kind, id = '', flag] = /^%(begin|end|error) \d+ (\d+) ([01])$/.exec(line) ?? [];
    if (response === undefined) {
      if (kind === 'begin' && flag === '1') response = { id, lines: [] };
    } else if (kind === undefined || id !== response.id) {
      response.lines.push(line);
    } else {
      const text = response.lines.join('\n');
      response = undefined;
      if (kind === 'end') waiting.shift()?.resolve(text);
      else waiting.shift()?.reject(new Error(text));
    }
  };
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) receive(line);
  });
  let hasEnded = false;
  const ended = once(child, 'exit');
  child.stdin.on('error', () => {});
  void ended.then(() => {
    hasEnded = true;
    for (const { reject } of waiting.splice(0)) reject(new Error('tmux has ended'));
  });
  const run = (...words: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      if (hasEnded) return reject(new Error('tmux has ended'));
      waiting.push({ resolve, reject });
      child.stdin.write(`${words.map(quote).join(' ')}\n`);
    });
  return {
    run,
    close: async () => {
      // Not over this connection, which may have ended.
      await promisify(execFile)('tmux', [...args, 'kill-server']).catch(() => {});
      await ended;
    },
  };
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

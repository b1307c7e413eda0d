import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** A connection to a tmux server in its control mode: what is asked over it starts no program. */
export interface TmuxClient {
  /** Returns what the command prints. @throws when it fails or the server has ended. */
  run(...words: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(text: string): void;
  reject(error: Error): void;
}

/** Attaches to the tmux server that `args` name. */
export function openTmuxClient(args: readonly string[], env: NodeJS.ProcessEnv): TmuxClient {
  const child = spawn('tmux', [...args, '-C', 'attach', '-f', 'no-output'], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting: Waiting[] = [];
  createInterface({ input: child.stdout }).on('line', createReceiver(waiting));
  child.stdin.on('error', () => {});
  const ended = once(child, 'exit').then(() => {
    for (const { reject } of waiting.splice(0)) reject(new Error('tmux has ended'));
  });
  const run: TmuxClient['run'] = (...words) =>
    new Promise<string>((resolve, reject) => {
      if (child.exitCode !== null) return reject(new Error('tmux has ended'));
      waiting.push({ resolve, reject });
      child.stdin.write(`${words.map(quote).join(' ')}\n`);
    });
  const close = async () => {
    // Not over this connection, which may have ended.
    await promisify(execFile)('tmux', [...args, 'kill-server']).catch(() => {});
    await ended;
  };
  return { run, close };
}

/** Takes the lines of the control mode, in which each response stands between `%begin` and `%end` or `%error`. */
function createReceiver(waiting: Waiting[]): (line: string) => void {
  let response: { id: string; lines: string[] } | undefined;
  return (line) => {
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
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

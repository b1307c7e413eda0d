import { spawn } from 'node:child_process';
import { once } from 'node:events';

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

/** @param args the server's options. @param onOutput called when something was written to its terminal. */
export function openTmuxClient(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  onOutput: () => void,
): TmuxClient {
  const child = spawn('tmux', [...args, '-C', 'attach'], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting: Waiting[] = [];
  let reply: { id: string; lines: string[] } | undefined;
  const receive = (line: string) => {
    // The reply to `attach` itself, which this client did not ask for, has the flag 0.
    const [, kind, id = '', flag] = /^%(begin|end|error) \d+ (\d+) ([01])$/.exec(line) ?? [];
    if (reply === undefined) {
      if (kind === 'begin' && flag === '1') reply = { id, lines: [] };
      else if (line.startsWith('%output ')) onOutput();
    } else if (kind === undefined || id !== reply.id) {
      reply.lines.push(line);
    } else {
      const text = reply.lines.join('\n');
      reply = undefined;
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
      run('kill-server').catch(() => {});
      await ended;
    },
  };
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

export const program = path.resolve(import.meta.dirname, '../bin/petstore.js');

/** The built service with sample pets, on a database in a folder that somebody else removes. */
export interface SampleService {
  /** The base URL. */
  url: string;
  key: string;
  stop(): Promise<void>;
}

/** Starts it on a free port. */
export async function startSampleService(folder: string): Promise<SampleService> {
  const database = ['--database', `sqlite:${path.join(folder, 'petstore.db')}`];
  const env = isolateEnvironment(folder);
  const words = [program, 'keys', 'create', '--new', '--name', 'sample', ...database];
  const stdio = ['ignore', 'pipe', 'ignore'] as const;
  const key = execFileSync(process.execPath, words, { encoding: 'utf8', env, stdio: [...stdio] });
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--seed', ...database], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env,
  });
  return { url: await findUrl(child), key: key.trim(), stop: () => stop(child) };
}

/** The machine's own settings of petstore stay out, and what petstore keeps stays in the folder. */
export function isolateEnvironment(folder: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('PETSTORE_'));
  return {
    ...Object.fromEntries(others),
    XDG_CONFIG_HOME: folder,
    XDG_STATE_HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CACHE_HOME: folder,
    APPDATA: folder,
    LOCALAPPDATA: folder,
  };
}

/** The base URL, as the service announces it. */
async function findUrl({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('The service was started without its stderr.');
  for await (const line of createInterface({ input: stderr })) {
    const url = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(line)?.[0];
    if (url === undefined) continue;
    stderr.resume();
    return url;
  }
  throw new Error('The service ended before it listened.');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

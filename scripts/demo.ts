/** Shows the main job end to end: the built program against the built service, on a database that is thrown away. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const program = path.resolve(import.meta.dirname, '../bin/petstore.js');
const folder = mkdtempSync(path.join(tmpdir(), 'petstore-demo-'));
const database = `sqlite:${path.join(folder, 'petstore.db')}`;

let service: ChildProcess | undefined;
try {
  const key = petstore(['keys', 'create', '--name', 'demo', '--database', database]).trim();
  const url = await startService();
  // The key travels in the environment: never in an argument, where other people of this machine could read it.
  const variables = { PETSTORE_STAGING_URL: url, PETSTORE_STAGING_API_KEY: key };
  show(['list', '--limit', '5'], variables);
  show(['list', '--limit', '2', '--status', 'sold', '--json'], variables);
  const added = show(['add', 'Rex', '--category', '7', '--json'], variables);
  const { id } = JSON.parse(added);
  show(['get', String(id)], variables);
} finally {
  if (service) await stop(service);
  rmSync(folder, { recursive: true, force: true });
}

/** Starts the service on a free port and returns its base address, as its log announces it. */
async function startService(): Promise<string> {
  const child = spawn(
    process.execPath,
    [program, 'serve', '--port', '0', '--database', database, '--seed'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: environment({}) },
  );
  service = child;
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(line)?.[0];
    if (url) {
      child.stderr.resume();
      return url;
    }
  }
  throw new Error('The service ended before it listened.');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Prints the command line, runs it, prints what it printed and returns its stdout. */
function show(words: string[], variables: Record<string, string>): string {
  process.stdout.write(`\n$ petstore ${words.join(' ')}\n`);
  const output = petstore(words, variables);
  process.stdout.write(output);
  return output;
}

function petstore(words: string[], variables: Record<string, string> = {}): string {
  const { status, stdout } = spawnSync(process.execPath, [program, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment(variables),
  });
  if (status !== 0) throw new Error(`petstore ${words.join(' ')} ended with ${status}.`);
  return stdout;
}

/** The machine's own settings of petstore stay out of the demo, and the demo out of them. */
function environment(variables: Record<string, string>): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('PETSTORE_'));
  return {
    ...Object.fromEntries(others),
    XDG_CONFIG_HOME: folder,
    XDG_STATE_HOME: folder,
    XDG_DATA_HOME: folder,
    ...variables,
  };
}

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

export const program = path.resolve(import.meta.dirname, '../bin/petstore.js');

/** A new folder in the temporary one. Windows lets go of a database a moment after its process has ended. */
export function openFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-'));
  const options = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };
  return { folder, remove: () => rmSync(folder, options) };
}

/** Runs the built service on a database that is thrown away when it is stopped. @param words options of serve */
export async function startService(words: readonly string[]) {
  const { folder, remove } = openFolder();
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PETSTORE_'));
  /** This computer's own settings stay out, and what petstore stores stays in the folder. */
  const variables = {
    ...Object.fromEntries(own),
    ...{ PETSTORE_CONFIG_DIR: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder },
    PETSTORE_SERVE_DATABASE: `sqlite:${path.join(folder, 'petstore.db')}`,
  };
  const create = [program, 'keys', 'create', '--name', 'first'];
  const key = execFileSync(process.execPath, create, { encoding: 'utf8', env: variables }).trim();
  const service = spawn(process.execPath, [program, 'serve', '--port', '0', ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: variables,
  });
  const ended = once(service, 'exit');
  const stop = async () => {
    service.kill();
    await ended;
    remove();
  };
  return { origin: await findOrigin(service.stderr), key, folder, variables, stop };
}

async function findOrigin(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (origin === undefined) continue;
    stderr.resume();
    return origin;
  }
  throw new Error('The service ended before it listened.');
}

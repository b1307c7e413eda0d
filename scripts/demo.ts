/** Shows the main job end to end: the built program and the built service, on a database that is thrown away. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findOrigin } from './find-origin.ts';

const program = path.resolve(import.meta.dirname, '../bin/petstore.js');
const folder = mkdtempSync(path.join(tmpdir(), 'petstore-demo-'));
/** This computer's own settings stay out, and what petstore stores stays in the folder. */
const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PETSTORE_'));
const variables = {
  ...Object.fromEntries(own),
  PETSTORE_CONFIG_DIR: folder,
  XDG_STATE_HOME: folder,
  XDG_CACHE_HOME: folder,
  PETSTORE_SERVE_DATABASE: `sqlite:${path.join(folder, 'petstore.db')}`,
};

const key = petstore(['keys', 'create', '--name', 'demo', '--json']);
const service = spawn(process.execPath, [program, 'serve', '--port', '0'], {
  stdio: ['ignore', 'ignore', 'pipe'],
  env: variables,
});
try {
  const shop = {
    PETSTORE_STAGING_URL: `${await findOrigin(service.stderr)}/v1`,
    // Never in an argument, where other people of this computer could read it.
    PETSTORE_STAGING_API_KEY: JSON.parse(key).key,
  };
  show(['add', 'Goldie', '--category', '7'], shop);
  show(['add', 'Rex', '--category', '3', '--status', 'pending', '--json'], shop);
  show(['list'], shop);
  show(['list', 'gold', '--json'], shop);
  show(['get', '1'], shop);
} finally {
  service.kill();
  await once(service, 'exit');
  // Windows lets go of the database a moment after its process has ended.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

function show(words: readonly string[], more: Readonly<Record<string, string>>): void {
  process.stdout.write(`\n$ petstore ${words.join(' ')}\n${petstore(words, more)}`);
}

function petstore(words: readonly string[], more: Readonly<Record<string, string>> = {}): string {
  return execFileSync(process.execPath, [program, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...variables, ...more },
  });
}

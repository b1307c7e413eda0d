/** Shows the main job end to end: the built program and the built service, on a database that is thrown away. */
import { execFileSync } from 'node:child_process';
import { program, startService } from './built-service.ts';

const { origin, key, variables, stop } = await startService([]);
// The key is never in an argument, where other people of this computer could read it.
const env = { ...variables, PETSTORE_STAGING_URL: origin, PETSTORE_STAGING_API_KEY: key };
try {
  show('add Goldie --category 7');
  show('add Rex --category 3 --status pending --json');
  show('list');
  show('list gold --json');
  show('get 1');
} finally {
  await stop();
}

function show(line: string): void {
  process.stdout.write(`\n$ petstore ${line}\n`);
  const words = [program, ...line.split(' ')];
  execFileSync(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'], env });
}

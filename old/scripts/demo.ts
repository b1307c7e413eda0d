/** Shows the main job end to end: the built program against the built service, on a database that is thrown away. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isolateEnvironment, program, startSampleService } from './sample-service.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'petstore-demo-'));

const { url, key, stop } = await startSampleService(folder);
try {
  // The key travels in the environment: never in an argument, where other people of this machine could read it.
  const variables = { PETSTORE_STAGING_URL: url, PETSTORE_STAGING_API_KEY: key };
  show(['list', '--limit', '5'], variables);
  show(['list', '--limit', '2', '--status', 'sold', '--json'], variables);
  const added = show(['add', 'Rex', '--category', '7', '--json'], variables);
  const { id } = JSON.parse(added);
  show(['get', String(id)], variables);
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Prints the command line, runs it, prints what it printed and returns its stdout. */
function show(words: string[], variables: Record<string, string>): string {
  process.stdout.write(`\n$ petstore ${words.join(' ')}\n`);
  const output = petstore(words, variables);
  process.stdout.write(output);
  return output;
}

function petstore(words: string[], variables: Record<string, string>): string {
  const { status, stdout } = spawnSync(process.execPath, [program, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...isolateEnvironment(folder), ...variables },
  });
  if (status !== 0) throw new Error(`petstore ${words.join(' ')} ended with ${status}.`);
  return stdout;
}

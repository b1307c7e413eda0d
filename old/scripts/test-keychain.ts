/**
 * Logs in, lists, adds and logs out with the keychain of this machine and a service of its own: `npm run test:keychain`.
 * For machines that are thrown away, since it asks the real keychain; `test/e2e/keychain.test.ts` has one of its own.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isolateEnvironment, program, startSampleService } from './sample-service.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'petstore-keychain-'));
const service = await startSampleService(folder);
const env = { ...isolateEnvironment(folder), PETSTORE_CONFIG_DIR: folder };
try {
  expectStatus('missing');
  run(['env', 'set', 'staging', '--url', service.url]);
  run(['auth', 'login', '--key-stdin', '--storage', 'keychain'], service.key);
  expectStatus('ok');
  assert.match(run(['list', '--limit', '2', '--json']), /"id":1,/);
  assert.match(run(['add', 'Goldie', '--category', '7', '--json']), /"name":"Goldie"/);
  run(['auth', 'logout']);
  expectStatus('missing');
  process.stdout.write(
    'ok  logged in, listed, added and logged out with the keychain of this machine\n',
  );
} finally {
  // In case a step failed; without a key there is nothing to remove, which is fine.
  spawnSync(process.execPath, [program, 'auth', 'logout'], { env });
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

function run(words: readonly string[], input = ''): string {
  const options = { env, input, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], options);
  assert.equal(status, 0, `petstore ${words.join(' ')}: exit ${status}\n${stderr}`);
  return stdout;
}

function expectStatus(state: string): void {
  const words = ['auth', 'status', '--check', '--json'];
  const { stdout } = spawnSync(process.execPath, [program, ...words], { env, encoding: 'utf8' });
  assert.match(stdout, new RegExp(`"state":"${state}"`));
}

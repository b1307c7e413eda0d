/**
 * Uses the standalone program for linux-arm64 under qemu-user-static as a person would, with a real service:
 * `npm run test:arm64`, as root; needs debootstrap, qemu-user-static and the network. Without the keychain: the program
 * starts itself as the keychain's child process, which this emulator cannot do for it.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isolateEnvironment, startSampleService } from './sample-service.ts';
import { buildStandalone } from './standalone/build-standalone.ts';

const work = mkdtempSync(path.join(tmpdir(), 'petstore-arm64-'));
const service = await startSampleService(work);
const program = path.join(work, 'out/petstore');
try {
  buildStandalone(program, 'linux-arm64');
  use(extractLibraries(path.join(work, 'root')));
} finally {
  await service.stop();
  rmSync(work, { recursive: true, force: true });
}

/** Debian's libraries for arm64 in a folder; nothing in it is run, so they need not be configured. */
function extractLibraries(root: string): string {
  const words = ['--foreign', '--arch=arm64', '--variant=minbase'];
  execFileSync('debootstrap', [...words, 'bookworm', root, 'http://deb.debian.org/debian'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const archives = path.join(root, 'var/cache/apt/archives');
  for (const name of readdirSync(archives).filter((one) => one.endsWith('.deb'))) {
    execFileSync('dpkg-deb', ['--extract', path.join(archives, name), root]);
  }
  return root;
}

function use(root: string): void {
  const env = { ...isolateEnvironment(work), PETSTORE_API_KEY: service.key };
  const run = (words: string[], input = '') => {
    const options = { env: { ...env, QEMU_LD_PREFIX: root }, input, encoding: 'utf8' } as const;
    return execFileSync('qemu-aarch64-static', [program, ...words], options);
  };
  report('version', run(['--version']));
  run(['env', 'set', 'staging', '--url', service.url]);
  const delivery = path.join(work, 'delivery.csv');
  writeFileSync(delivery, 'name,categoryId\nSkipper,12\nKowalski,12\nRico,12\n');
  report('list', run(['list', '--limit', '2']));
  report('add', run(['add', 'Goldie', '--category', '7']));
  run(['import', delivery]);
  assert.equal(run(['list', '--category', '12', '--count']), '3\n');
  report('imported a delivery', run(['list', '--category', '12']));
}

function report(step: string, output: string): void {
  process.stdout.write(`ok  ${step}\n${output.replace(/^(?=.)/gm, '      ')}`);
}

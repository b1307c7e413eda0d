/**
 * Installs the Debian package with apt in a fresh Debian, uses it with a real keyring and a real service as a person
 * would, and purges it: `npm run test:deb [file]`, as root; needs debootstrap and the network.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openKeyring } from '../test/support/keyring.ts';
import { type CleanRoot, installCleanRoot } from './debian/clean-root.ts';
import { startSampleService } from './sample-service.ts';

const HOME = '/home/ann';
/** What the person has stored there: the environment, the history of adds, the record of imports, a spreadsheet. */
const stored = [
  './.config/petstore/config.json',
  './.local/state/petstore/history.db',
  './.local/state/petstore/history.db-shm',
  './.local/state/petstore/history.db-wal',
  './.local/state/petstore/imports/imports.db',
  './.local/state/petstore/state.json',
  './delivery.csv',
];
const work = mkdtempSync(path.join(tmpdir(), 'petstore-deb-'));
const keyring = await openKeyring();
const service = await startSampleService(work);
try {
  const file = process.argv[2] ?? buildPackage();
  const socket = keyring.env.DBUS_SESSION_BUS_ADDRESS.replace('unix:path=', '');
  const root = installCleanRoot(path.join(work, 'root'), path.dirname(socket));
  root.run('apt-get update -qq');
  const before = root.list();
  install(root, file);
  await use(root);
  purge(root, before);
} finally {
  await service.stop();
  await keyring.stop();
  rmSync(work, { recursive: true, force: true });
}

function buildPackage(): string {
  const words = ['run', '--silent', 'build:deb', '--', work];
  execFileSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const name = readdirSync(work).find((one) => one.endsWith('.deb'));
  assert(name !== undefined);
  return path.join(work, name);
}

function install(root: CleanRoot, file: string): void {
  root.add(file, 'petstore.deb');
  root.run(
    'DEBIAN_FRONTEND=noninteractive apt-get install -qq -y /petstore.deb && rm /petstore.deb',
  );
  assert.match(root.run('dpkg-query --show'), /^libsecret-1-0/m, 'apt installs libsecret');
  assert.equal(root.run('dpkg --verify petstore'), '');
  report('installed with apt, libsecret with it', root.run('petstore --version'));
}

/** Log in, list, add, import, in the words of the README. */
async function use(root: CleanRoot): Promise<void> {
  root.run(`mkdir -p ${HOME} && printf '%s\\n' "$KEY" > ${HOME}/till.key`, { KEY: service.key });
  const run = (line: string) => root.run(`cd && ${line}`, { HOME, ...keyring.env });
  run(`petstore env set staging --url ${service.url}`);
  run('petstore auth login --key-stdin < till.key && rm till.key');
  assert.equal(await keyring.lookup(`staging@${new URL(service.url).origin}`), service.key);
  report('logged in: the key is in the keyring', run('petstore auth status'));
  report('list', run('petstore list --limit 2'));
  report('add', run('petstore add Goldie --category 7'));
  run(`printf 'name,categoryId\\nSkipper,12\\nKowalski,12\\nRico,12\\n' > delivery.csv`);
  run('petstore import delivery.csv');
  assert.equal(run('petstore list --category 12 --count'), '3\n');
  report('imported a delivery', run('petstore list --category 12'));
  assert.equal(root.run('ls -A /tmp').replace(/^petstore-bus-.*\n/m, ''), '', 'nothing in /tmp');
}

function purge(root: CleanRoot, before: readonly string[]): void {
  root.run('DEBIAN_FRONTEND=noninteractive apt-get purge -qq -y --autoremove petstore');
  const isHome = (line: string) => line.startsWith(`.${HOME}`);
  const left = root.list().filter((line) => !before.includes(line) && !isHome(line));
  assert.deepEqual(left, [], 'nothing is left outside the home');
  const files = root.run(`cd ${HOME} && find . ! -type d | sort`);
  assert.deepEqual(files.trim().split('\n'), stored, 'of the person only what they stored is left');
  report('purged; left are the files that the person has stored', files);
}

function report(step: string, output: string): void {
  process.stdout.write(`ok  ${step}\n${output.replace(/^(?=.)/gm, '      ')}`);
}

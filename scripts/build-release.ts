/**
 * Builds everything that a release consists of into `release`, which is emptied first: `npm run build:release`. The
 * steps of a release are in docs/release.md.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { standaloneCommands } from '../binary/standalone-commands.ts';
import { describeProgram } from '../src/program/command-tree.ts';
import { version } from '../src/version.ts';
import { writeManual } from './manual/write-manual.ts';
import { buildStandalone } from './standalone/build-standalone.ts';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'release');

const manual = writeManual(await describeProgram(standaloneCommands), version);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]);
for (const platform of ['linux-x64', 'linux-arm64']) buildArchive(platform);
run('npm', ['run', '--silent', 'build:deb', '--', folder]);
writeSums();

/** The program with its manual and licenses, as one file has no place for them. */
function buildArchive(platform: string): void {
  const name = `petstore-${version}-${platform}`;
  const tree = path.join(folder, name);
  buildStandalone(path.join(tree, 'petstore'), platform);
  for (const file of ['LICENSE', 'CHANGELOG.md']) {
    copyFileSync(path.join(root, file), path.join(tree, file));
  }
  writeFileSync(path.join(tree, 'petstore.1'), manual);
  run('tar', [
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '-C',
    folder,
    '-cJf',
    `${tree}.tar.xz`,
    name,
  ]);
  rmSync(tree, { recursive: true });
}

/** As `sha256sum --check` reads them. */
function writeSums(): void {
  const lines = readdirSync(folder).map((name) => {
    const bytes = readFileSync(path.join(folder, name));
    process.stdout.write(`${name} ${(bytes.length / 1e6).toFixed(1)} MB\n`);
    return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
  });
  writeFileSync(path.join(folder, 'SHA256SUMS'), lines.join(''));
}

function run(file: string, words: readonly string[]): void {
  execFileSync(file, words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

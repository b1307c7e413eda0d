/**
 * Builds everything that a release consists of into `release`, which is emptied first: `npm run build:release`. It stops at
 * what the publisher has not filled in, unless it is a trial: `npm run build:release -- --trial`. The steps of a release are
 * in docs/release.md.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { standaloneCommands } from '../binary/standalone-commands.ts';
import { describeProgram } from '../src/program/command-tree.ts';
import { version } from '../src/version.ts';
import { buildDebianPackage } from './debian/build-package.ts';
import { writeManual } from './manual/write-manual.ts';
import { buildArchive } from './release/build-archive.ts';
import { listMissingFields } from './release/missing-fields.ts';
import { buildStandalone } from './standalone/build-standalone.ts';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'release');

const missing = listMissingFields(root);
if (missing.length > 0)
  process.stderr.write(
    `Not to be published, see docs/release.md. Missing:\n  ${missing.join('\n  ')}\n`,
  );
if (missing.length === 0 || process.argv.includes('--trial')) await buildRelease();
else process.exitCode = 1;

async function buildRelease(): Promise<void> {
  const manual = writeManual(await describeProgram(standaloneCommands), version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]);
  for (const platform of ['linux-x64', 'linux-arm64']) packProgram(platform, manual);
  writeSums();
}

function packProgram(platform: string, manual: string): void {
  const work = mkdtempSync(path.join(tmpdir(), 'petstore-release-'));
  try {
    const program = path.join(work, 'petstore');
    buildStandalone(program, platform);
    const licenses = path.join(work, 'THIRD-PARTY-LICENSES.txt');
    const source = { program, licenses, manual };
    buildArchive(source, `petstore-${version}-${platform}`, folder);
    if (platform !== 'linux-x64') return;
    const made = buildDebianPackage(source, work);
    copyFileSync(made, path.join(folder, path.basename(made)));
  } finally {
    rmSync(work, { recursive: true });
  }
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

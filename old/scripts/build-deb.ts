/** Builds the Debian package of the standalone program: `npm run build:deb [folder]`, into `release` by default. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { standaloneCommands } from '../binary/standalone-commands.ts';
import { describeProgram } from '../src/program/command-tree.ts';
import { version } from '../src/version.ts';
import { buildDebianPackage } from './debian/build-package.ts';
import { writeManual } from './manual/write-manual.ts';
import { buildStandalone } from './standalone/build-standalone.ts';

const [folder = 'release'] = process.argv.slice(2);
const work = mkdtempSync(path.join(tmpdir(), 'petstore-deb-'));
try {
  const program = path.join(work, 'petstore');
  buildStandalone(program, 'linux-x64');
  const licenses = path.join(work, 'THIRD-PARTY-LICENSES.txt');
  const manual = writeManual(await describeProgram(standaloneCommands), version);
  const made = buildDebianPackage({ program, licenses, manual }, work);
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, path.basename(made));
  copyFileSync(made, file);
  process.stdout.write(`${file} (${Math.round(statSync(file).size / 1e6)} MB)\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commands } from '../src/commands/index.ts';
import { describeProgram } from '../src/program/command-tree.ts';
import { version } from '../src/version.ts';
import { bundleDist } from './bundle/bundle.ts';
import { writePackageLicenses } from './licenses/write-package-licenses.ts';
import { writeManual } from './manual/write-manual.ts';

const dist = path.resolve(import.meta.dirname, '../dist');

writePackageLicenses(dist, await bundleDist(dist));
// Printed without loading the program, where no terminal sets its width.
const help = execFileSync(process.execPath, [path.join(dist, 'main.cjs'), '--help'], { env: {} });
await writeFile(path.join(dist, 'help.txt'), help);
await mkdir(path.join(dist, 'man'));
const tree = await describeProgram(commands);
await writeFile(path.join(dist, 'man/petstore.1'), writeManual(tree, version));

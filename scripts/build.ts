import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readCommandTree } from '../src/commands/command-tree.ts';
import { commands } from '../src/commands/index.ts';
import { buildWholeProgram } from '../src/commands/program.ts';
import { version } from '../src/version.ts';
import { bundleDist } from './bundle.ts';
import { writeManual } from './manual/write-manual.ts';

const dist = path.resolve(import.meta.dirname, '../dist');

await bundleDist(dist);
await mkdir(path.join(dist, 'man'));
const tree = readCommandTree(await buildWholeProgram(commands));
await writeFile(path.join(dist, 'man/petstore.1'), writeManual(tree, version));

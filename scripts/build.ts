/** Builds the program into dist: `npm run build`. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commands } from '../src/commands/index.ts';
import { loadProgram } from '../src/program/build-program.ts';
import { bundleProgram } from './bundle.ts';
import { renderManual } from './manual.ts';

const dist = path.resolve(import.meta.dirname, '../dist');

await rm(dist, { recursive: true, force: true });
await bundleProgram(dist);
await writeFile(path.join(dist, 'petstore.1'), renderManual(await loadProgram(commands)));

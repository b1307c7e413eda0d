/** Builds the program into dist: `npm run build`. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleProgram } from './bundle.ts';
import { renderLicenses } from './licenses.ts';

const dist = path.resolve(import.meta.dirname, '../dist');

await rm(dist, { recursive: true, force: true });
const inputs = await bundleProgram(dist);
await writeFile(path.join(dist, 'THIRD-PARTY-LICENSES.txt'), renderLicenses(inputs));

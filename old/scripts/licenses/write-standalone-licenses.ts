import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findPackages } from './find-packages.ts';
import { describePackage, renderLicenses } from './render-licenses.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'binary/licenses');

const introduction = `The standalone program petstore consists of the packages below, each under its own license, of SQLite, which is in the
public domain, and of Bun, which runs them. The sources of petstore, with the script that builds this program, let
everybody build it with a changed Bun or JavaScriptCore.`;

/** Writes the licenses of a standalone program, from bun's own list of what went into it. */
export function writeStandaloneLicenses(outdir: string, inputs: readonly string[]): void {
  const packages = findPackages(inputs.map((file) => path.resolve(root, file)));
  const parts = [...packages.map((one) => describePackage(one)), ...describeBun()];
  writeFileSync(path.join(outdir, 'THIRD-PARTY-LICENSES.txt'), renderLicenses(introduction, parts));
}

/** The npm package of Bun's program has no license in it: these are its list of what it links, and their licenses. */
function describeBun() {
  return readdirSync(folder)
    .sort()
    .map((name) => ({
      title: path.basename(name, '.txt'),
      texts: [readFileSync(path.join(folder, name), 'utf8')],
    }));
}

import { execFileSync } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../support/make-folder.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const addon = `prebuilds/${process.platform}-${process.arch}/@photostructure+sqlite.glibc.node`;

/** A folder with the stand-in, and a package whose entry says that it was loaded; the addon is the real one. */
async function install(without?: string) {
  const folder = await makeFolder();
  const found = path.join(folder, 'node_modules/@photostructure/sqlite');
  await mkdir(found, { recursive: true });
  await writeFile(path.join(found, 'package.json'), '{"main":"index.cjs"}');
  await writeFile(path.join(found, 'index.cjs'), 'exports.isPackage = true;');
  if (without !== addon)
    await cp(
      path.join(root, 'node_modules/@photostructure/sqlite', addon),
      path.join(found, addon),
    );
  await cp(path.join(root, 'scripts/bundle/prebuilt-sqlite.cjs'), path.join(folder, 'sqlite.cjs'));
  return { folder, found };
}

function load(folder: string): string {
  const script = `const loaded = require('./sqlite.cjs');
    process.stdout.write(loaded.isPackage ? 'package' : Object.keys(loaded).join());`;
  return execFileSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' });
}

it('the program loads the prebuilt addon of SQLite without the package around it', async () => {
  const { folder } = await install();
  expect(load(folder).split(',')).toEqual(expect.arrayContaining(['DatabaseSync', 'backup']));
});

it('leaves it to the package where the addon was built on this machine, or none was prebuilt', async () => {
  const { folder, found } = await install();
  await mkdir(path.join(found, 'build'));
  expect(load(folder)).toBe('package');
  expect(load((await install(addon)).folder)).toBe('package');
});

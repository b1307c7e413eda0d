import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleDist } from '../../scripts/bundle/bundle.ts';
import { findPackages } from '../../scripts/licenses/find-packages.ts';
import { describePackage } from '../../scripts/licenses/render-licenses.ts';

const root = path.resolve(import.meta.dirname, '../..');

let outdir: string;
let inputs: readonly string[];
let licenses: string;
beforeAll(async () => {
  outdir = await mkdtemp(path.join(tmpdir(), 'petstore-licenses-'));
  inputs = (await bundleDist(outdir)).files;
  licenses = await readFile(path.join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
}, 60_000);
afterAll(() => rm(outdir, { recursive: true, force: true }));

it('every package among the inputs of the bundler is listed, with its version, and nothing else is', async () => {
  const foreign = inputs.filter((file) => file.includes('node_modules/'));
  const folders = new Set(
    foreign.map((file) =>
      file
        .split('/')
        .slice(0, file.includes('/@') ? 3 : 2)
        .join('/'),
    ),
  );
  const titles = await Promise.all([...folders].map(readTitle));
  const listed = [...licenses.matchAll(/^=+\n(.+)\n=+$/gm)].map(([, title]) => title);
  expect(titles.length).toBeGreaterThan(40);
  expect(listed.sort()).toEqual(titles.sort());
});

async function readTitle(folder: string): Promise<string> {
  const text = await readFile(path.join(root, folder, 'package.json'), 'utf8');
  const { name, version, license } = JSON.parse(text);
  return `${name} ${version} (${license})`;
}

it('each comes with the whole text of its license', async () => {
  for (const folder of findPackages(inputs)) {
    const file = (await readdir(path.join(root, folder))).find((name) => /^licen[sc]e/i.test(name));
    if (file === undefined) continue;
    const text = await readFile(path.join(root, folder, file), 'utf8');
    expect(licenses, folder).toContain(text.trim());
  }
});

it("has swagger-ui's license, its notice, and the licenses of what it has bundled itself", () => {
  expect(licenses).toContain('Apache License\n                           Version 2.0');
  expect(licenses).toContain('Copyright 2020-2021 SmartBear Software Inc.');
  expect(licenses).toContain('DOMPurify');
});

it('takes the license from the README of a package that has no other text of it', () => {
  expect(licenses).toContain('Copyright (c) 2013-2016 Hannes Hörl');
});

it('a package without any text of its license fails the build', () => {
  // Its README and its license are a level above, with the other packages for one platform.
  const folder = path.join(root, 'node_modules/@esbuild', `${process.platform}-${process.arch}`);
  expect(() => describePackage(folder)).toThrow('has no text of its license');
});

it('no file is there only to point to another', async () => {
  const entries = await readdir(outdir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map((file) => readFile(path.join(file.parentPath, file.name), 'utf8')),
  );
  expect(texts.length).toBeGreaterThan(50);
  expect(texts.filter((text) => text.length < 100 && text.includes('require('))).toEqual([]);
});

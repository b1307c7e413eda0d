import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { type ReplacedModule, replaceModules } from '../../binary/replaced-modules.ts';
import { writeStandaloneLicenses } from '../../scripts/licenses/write-standalone-licenses.ts';
import { BUN_VERSION } from '../../scripts/standalone/build-standalone.ts';
import { makeFolder } from '../support/make-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const platform = 'linux-x64';

/** What goes into the standalone program, found by esbuild: Bun, which builds it, is not installed for the tests. */
async function bundleStandalone(): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['binary/main.ts'],
    outdir: 'none',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    loader: { '.node': 'file' },
    metafile: true,
    plugins: [
      {
        name: 'replace',
        setup: (bundler) => {
          for (const one of replaceModules(platform)) {
            bundler.onLoad({ filter: one.filter }, (on) => load(one, on.path));
          }
        },
      },
    ],
  });
  return Object.keys(metafile.inputs);
}

const load = ({ contents, loader }: ReplacedModule, file: string) => ({
  contents,
  loader,
  resolveDir: path.dirname(file),
});

/** The titles of the list of licenses in a folder. */
function readTitles(folder: string): readonly (string | undefined)[] {
  const text = readFileSync(path.join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  return [...text.matchAll(/^=+\n(.+)\n=+$/gm)].map(([, title]) => title).sort();
}

function describeInput(file: string): readonly string[] {
  const folder = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
  if (folder === undefined) return [];
  const text = readFileSync(path.join(root, folder, 'package.json'), 'utf8');
  const { name, version, license } = JSON.parse(text);
  return [`${name} ${version} (${license})`];
}

it('the standalone program lists every package of its bundle and what Bun is made of, and nothing else', async () => {
  const inputs = await bundleStandalone();
  const titles = [...new Set(inputs.flatMap(describeInput))];
  const bun = readdirSync(path.join(root, 'binary/licenses')).map((name) => name.slice(0, -4));
  const expected = [...titles, ...bun].sort();
  expect(titles.length).toBeGreaterThan(30);
  const folder = await makeFolder();
  writeStandaloneLicenses(folder, inputs);
  expect(readTitles(folder)).toEqual(expected);
  const program = process.env.PETSTORE_TEST_BINARY;
  if (program !== undefined) expect(readTitles(path.dirname(program))).toEqual(expected);
});

it('each license of what Bun is made of is there as a whole', async () => {
  const folder = await makeFolder();
  writeStandaloneLicenses(folder, []);
  const text = readFileSync(path.join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const names = readdirSync(path.join(root, 'binary/licenses'));
  expect(names).toContain(`Bun ${BUN_VERSION}.txt`);
  for (const name of names) {
    const license = readFileSync(path.join(root, 'binary/licenses', name), 'utf8');
    expect(text, name).toContain(license.trim());
  }
});

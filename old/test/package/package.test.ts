import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { version } from '../../src/version.ts';
import { canRun } from '../support/can-run.ts';
import { describeProgram } from '../support/installed-program.ts';
import { makeFolder } from '../support/make-folder.ts';
import { startService } from '../support/service.ts';
import { installGlobally, packPackage } from './packed-package.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');

let work: string;
let tarball: string;
beforeAll(async () => {
  work = await mkdtemp(path.join(tmpdir(), 'petstore-package-'));
  tarball = await packPackage(work);
}, 120_000);
afterAll(() => rm(work, { recursive: true, force: true }));

describe.each([{ flags: [] }, { flags: ['--ignore-scripts'] }])(
  'installed globally with npm i -g $flags',
  ({ flags }) => {
    let prefix: string;
    let file: string;
    beforeAll(async () => {
      prefix = await mkdtemp(path.join(work, 'prefix-'));
      file = await installGlobally(tarball, prefix, flags);
    }, 120_000);

    it('is the command petstore, with its manual', async () => {
      const { run: petstore } = describeProgram(file, await makeFolder());
      expect(await petstore(['--version'])).toBe(`${version}\n`);
      expect(await petstore(['list', '--help'])).toContain('Usage: petstore list');
      expect(await readdir(path.join(prefix, 'share/man/man1'))).toEqual(['petstore.1']);
    });

    it('brings the program, the library, their types and two packages', async () => {
      const installed = path.join(prefix, 'lib/node_modules/petstore-cli');
      expect((await readdir(installed)).sort()).toEqual(
        ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'bin', 'dist', 'docs'].concat([
          'node_modules',
          'package.json',
          'types',
        ]),
      );
      const manifest = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'));
      expect(Object.keys(manifest.dependencies)).toEqual(['@photostructure/sqlite', 'keytar']);
    });

    // undici hides that one is missing.
    it.each(['llhttp-wasm.cjs', 'llhttp-simd.wasm'])(
      'brings two HTTP parsers, each of which can do without the other: %s',
      async (other) => {
        const unused = path.join(prefix, 'lib/node_modules/petstore-cli/dist/chunks', other);
        await rename(unused, `${unused}.away`);
        onTestFinished(() => rename(`${unused}.away`, unused));
        const { url, key, close } = await startService();
        onTestFinished(close);
        const { run: petstore } = describeProgram(file, await makeFolder());
        const env = { PETSTORE_STAGING_URL: url, PETSTORE_STAGING_API_KEY: key };
        expect(await petstore(['list', '--json'], env)).toBe('[]\n');
      },
    );

    it('serves, adds, lists and fetches', async () => {
      const home = await makeFolder();
      const { run: petstore, serve } = describeProgram(file, home);
      const database = ['--database', `sqlite:${path.join(home, 'petstore.db')}`];
      const key = (
        await petstore(['keys', 'create', '--new', '--name', 'test', ...database])
      ).trim();
      const { url, stop } = await serve(database);
      onTestFinished(stop);
      const env = { PETSTORE_STAGING_URL: url, PETSTORE_STAGING_API_KEY: key };
      const rex = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}\n';
      expect(await petstore(['add', 'Rex', '--category', '7', '--ndjson'], env)).toBe(rex);
      expect(await petstore(['list', '--ndjson'], env)).toBe(rex);
      expect(await petstore(['get', '1', '--ndjson'], env)).toBe(rex);
    });

    // Without a session bus: what is left to fail is the keychain service itself, not the library.
    it.skipIf(!canRun('secret-tool'))('finds its keychain library', async () => {
      const { run: petstore } = describeProgram(file, await makeFolder());
      const env = { PETSTORE_STAGING_URL: 'http://127.0.0.1:9/v1' };
      const states = JSON.parse(await petstore(['auth', 'status', '--all', '--json'], env));
      expect(states).toContainEqual(
        expect.objectContaining({ reason: 'No keychain service responds on this machine' }),
      );
    });

    it('is a library with types', async () => {
      const project = await makeFolder();
      await symlink(path.join(prefix, 'lib/node_modules'), path.join(project, 'node_modules'));
      await writeFile(path.join(project, 'use.mts'), librarySample);
      const tsc = path.join(root, 'node_modules/.bin/tsc');
      const strict = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', ''];
      const readme = await readFile(path.join(root, 'README.md'), 'utf8');
      const shown = /^```ts\n(.*?)^```$/ms.exec(readme)?.[1] ?? '';
      const service = await startService({ pets: [{ name: 'Rex', categoryId: 7n }] });
      onTestFinished(service.close);
      const example = shown.replace('http://127.0.0.1:8080/v1', service.url);
      const start = `const apiKey: string = '${service.key}';\n`;
      await writeFile(path.join(project, 'shown.mts'), `${start}${example}`);
      const files = ['use.mts', 'shown.mts'];
      await run(tsc, [...strict, '--lib', 'es2023,dom', ...files], { cwd: project });

      const words = [path.join(project, 'use.mjs'), service.url, service.key];
      const { stdout } = await run(process.execPath, words, { cwd: project });
      expect(stdout).toBe('Rex 7 yes\n9223372036854775807\nresponse 404\n');
      const shownRun = await run(process.execPath, [path.join(project, 'shown.mjs')]);
      expect(shownRun.stdout).toBe(
        '{"id":3,"name":"Luna","categoryId":9007199254740993,"status":"available"}\n1 Rex\n3 Luna\n',
      );
    });
  },
);

/** Every part of the library that the README shows. The last lines must not compile without their marks. */
const librarySample = `
import { createPetstoreClient, RequestError, type NewPet, type Pet } from 'petstore-cli';

declare const process: { argv: [string, string, string, string] };
const [, , baseUrl, apiKey] = process.argv;
const client = createPetstoreClient({ baseUrl, apiKey, timeout: 5_000 });

const rex: NewPet = { name: 'Max', categoryId: 9223372036854775807n, status: 'sold' };
const { pet } = await client.createPet(rex);
const page = await client.listPets({ limit: 1 });
const first: Pet | undefined = page.pets[0];
console.log(first?.name, Number(first?.categoryId), page.more);
const second = page.next && (await client.listNextPage(page.next));
console.log(String(second?.pets[0]?.categoryId));
try {
  await client.getPet(pet.id + 1n);
} catch (error) {
  if (!(error instanceof RequestError) || error.failure.kind !== 'response') throw error;
  console.log(error.failure.kind, error.failure.status);
}
await client.close();

export function neverCalled(): void {
  // @ts-expect-error an id is a bigint
  void client.getPet(1);
  // @ts-expect-error a status is one of three words
  void client.createPet({ name: 'Max', categoryId: 1n, status: 'lost' });
}
`;

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { openKeychainForTests } from '../support/keyring.ts';
import { isStandalone, runPetstore } from '../support/run-petstore.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

// The job of a day, with nothing replaced: the built program or the standalone one (`npm run test:binary`), the service,
// a keyring.
let service: TestService;
let keyring: Awaited<ReturnType<typeof openKeychainForTests>>;
beforeAll(async () => {
  [service, keyring] = await Promise.all([
    openTestService({ pets: [{ name: 'Bella', categoryId: 2n }] }),
    openKeychainForTests(),
  ]);
});
afterAll(() => Promise.all([service.close(), keyring.close()]));

let home = '';
beforeEach(async () => {
  home = await createTemporaryFolder();
});

const run = (line: string, stdin = '') =>
  runPetstore(line, { home, stdin, variables: keyring.variables });
const login = () => {
  onTestFinished(async () => void (await run('logout')));
  return run(`login --env staging --url ${service.url} --key-stdin`, service.key);
};

it('stores the key in the keychain, and then needs no variable', async () => {
  expect(await login()).toMatchObject({ stderr: '', exitCode: 0 });
  const added = await run('add Rex --category 7 --json');
  expect(added).toMatchObject({ stderr: '', exitCode: 0 });
  const { id } = JSON.parse(added.stdout);
  const got = await run(`get ${id} -o csv`);
  expect(got.stdout).toBe(`id,name,categoryId,status\n${id},Rex,7,available\n`);
});

it('imports a file once, however often the line is run', async () => {
  await login();
  await writeFile(path.join(home, 'delivery.csv'), 'name;category;status\nMilo;3;sold\nOlive;3;\n');
  const first = await run('import delivery.csv --ndjson');
  expect(first).toMatchObject({ stderr: '', exitCode: 0 });
  const again = await run('import delivery.csv');
  expect(again).toMatchObject({ stdout: '', exitCode: 0 });
  expect(await run('list --category 3 --count')).toMatchObject({ stdout: '2\n', exitCode: 0 });
});

it('says what to do next when the key is not accepted', async () => {
  await login();
  await run('logout');
  const refused = await run('list --json');
  expect(refused).toMatchObject({ stdout: '', exitCode: 4 });
  expect(JSON.parse(refused.stderr)).toMatchObject({ code: 'cli_no_key', outcome: 'not_sent' });
});

it('takes no settings from the folder it is started in', async () => {
  await writeFile(path.join(home, '.env'), `PETSTORE_STAGING_URL=${service.url}\n`);
  expect(await run('list')).toMatchObject({ stdout: '', exitCode: 2 });
});

it('prints the licenses of what it is made of', async () => {
  const { stdout, exitCode } = await run('help licenses');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Permission is hereby granted');
  expect(stdout).toContain('\nundici ');
  expect(stdout.includes('WebKit')).toBe(isStandalone);
});

if (isStandalone) {
  it.each(['serve --port 0', 'keys list', 'db check'])(
    'names the npm package for %s',
    async (line) => {
      const refused = await run(line);
      expect(refused).toMatchObject({ stdout: '', exitCode: 2 });
      expect(refused.stderr).toContain('npm install --global petstore-cli');
    },
  );
}

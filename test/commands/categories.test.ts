import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runPetstore } from '../support/run-petstore.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

let service: TestService;
beforeAll(async () => {
  const pets = [
    { name: 'Goldie', categoryId: 7n },
    { name: 'Rex', categoryId: 8n },
  ];
  service = await openTestService({ pets });
});
afterAll(() => service.close());

/** Runs petstore where category 7 is called fish, or with another file of names. */
async function run(words: string, names = '7,fish\n') {
  const home = await createTemporaryFolder();
  await writeFile(path.join(home, 'categories.csv'), names);
  const variables = {
    PETSTORE_STAGING_URL: service.url,
    PETSTORE_API_KEY: service.key,
    PETSTORE_CATEGORIES: home,
  };
  return await runPetstore(words, { home, variables });
}

it.each([
  ['list', /^ID +NAME +CATEGORY +STATUS\n +1 +Goldie +7 fish +\w+\n +2 +Rex +8 +\w+\n$/],
  ['list --category fish', /^.*\n +1 +Goldie +7 fish +\w+\n$/],
  ['list --category Fish --csv', /^id,.*\n1,Goldie,7,\w+\n$/],
  ['get 1', /Goldie +7 fish/],
  ['get 1 --json', /"categoryId":7,/],
  ['add Bo --category fish --dry-run --csv', /^.*\nBo,7,\n$/],
])('names categories in tables and takes their names: %s', async (words, stdout) => {
  expect(await run(words)).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: expect.stringMatching(stdout),
  });
});

it.each(['list --category fihs', 'add Bo --category fihs'])(
  'says which was meant: %s',
  async (words) => {
    const { exitCode, stderr } = await run(words);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('did you mean fish?'),
    });
  },
);

it.each([
  ['list', 0],
  ['list --json', 0],
  ['list --category 7', 0],
  ['list --category fish', 2],
  ['add Bo --category fish', 2],
])(
  'is a warning where names are shown, and a mistake where one is typed: %s',
  async (words, exitCode) => {
    const broken = await run(words, '7,fish\n7,dog\n');
    expect(broken.exitCode).toBe(exitCode);
    const sentences = broken.stderr.match(/line 2 has the number 7 a second time/g) ?? [];
    expect(sentences).toHaveLength(words === 'list --json' ? 0 : 1);
  },
);

import { describe, expect, it, onTestFinished } from 'vitest';
import type { NewPet } from '../../../src/contract/pet.ts';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { type RunOptions, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';
import { stagingAt } from '../../support/staging.ts';

async function startStaging(pets: readonly NewPet[]) {
  const service = await startService({ pets });
  onTestFinished(() => service.close());
  const env = stagingAt(service.url, service.key);
  return (words: string[], options: RunOptions = {}) =>
    runPetstore(['list', ...words], { ...options, env });
}

const named = (...names: string[]) =>
  names.map((name, index) => ({ name, categoryId: BigInt(index + 1) }));
const many = (count: number, name: (id: number) => string) =>
  named(...Array.from({ length: count }, (_, index) => name(index + 1)));

describe('--name and --category', () => {
  it.each([
    [['--name', 'gold'], '1\n2\n'],
    [['--name', 'GOLDIE'], '1\n'],
    [['--name', 'zoe\u0308'], '4\n'],
    [['--name', 'οδυσσευς'], '5\n'],
    [['--name', 'gold', '--category', '2'], '2\n'],
    [['--category', '2', '--category', '3'], '2\n3\n'],
    [['--name', 'gold', '--status', 'sold'], ''],
    [['--name', 'nobody'], ''],
    [['--name=-r'], '6\n'],
  ])('%j', async (words, stdout) => {
    const list = await startStaging(named('Goldie', 'Marigold', 'Rex', 'Zoë', 'ΟΔΥΣΣΕΥΣ', '-rex'));
    expect(await list(['-q', ...words])).toEqual({ stdout, stderr: '', exitCode: 0 });
  });

  it('look at the whole list, page after page', async () => {
    const list = await startStaging(many(450, (id) => (id % 200 === 0 ? 'Goldie' : 'Rex')));
    expect(await list(['-q', '--name', 'goldie'])).toMatchObject({ stdout: '200\n400\n' });
  });

  it.each([
    { gold: 3, limit: 2, shown: 2, more: true },
    { gold: 2, limit: 2, shown: 2, more: false },
  ])(
    '$gold with --limit $limit: the limit and the notice are for what was found',
    async (given) => {
      const { gold, limit, shown, more } = given;
      const list = await startStaging(
        many(330, (id) => (id % 110 === 0 && id / 110 <= gold ? 'Goldie' : 'Rex')),
      );
      const run = await list([
        '--name',
        'goldie',
        '--limit',
        String(limit),
        '--fields',
        'id',
        '--csv',
      ]);
      expect(run.stdout.split('\n').length - 2).toBe(shown);
      expect(run.stderr).toContain(more ? `Showing ${shown} pets; more exist. Use --all.` : '');
      const strict = await list([
        '--name',
        'goldie',
        '--limit',
        String(limit),
        '--require-complete',
      ]);
      expect(strict.exitCode).toBe(more ? 10 : 0);
      if (more) {
        expect(strict.stderr).toContain('petstore list --env staging --all --name goldie\n');
      }
    },
  );

  it('a full page without a link from elsewhere: nobody knows, also when nothing was found', async () => {
    const page = Array.from({ length: 100 }, (_, id) => `{"id":${id},"name":"x","categoryId":1}`);
    const server = await startHttpServer(respondJson(200, `[${page.join(',')}]`));
    const run = await runPetstore(['list', '--name', 'rex'], { env: stagingAt(server.url) });
    expect(run.stderr).toBe(
      'No pets found.\nShowing 0 pets; more may exist: the service does not say. Use --all.\n',
    );
  });

  it.each([
    [['--name', ' '], '" " is not part of a name'],
    [['--category', 'dogs'], '"dogs" is not a category number: write a whole number such as 7'],
  ])('%j is refused', async (words, message) => {
    const run = await runPetstore(['list', ...words]);
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    expect(run.stderr).toContain(message);
  });
});

describe('--count', () => {
  it.each([
    [[], '250\n'],
    [['--json'], '250\n'],
    [['--ndjson', '--all'], '250\n'],
    [['-q'], '250\n'],
    [['--name', 'gold'], '25\n'],
    [['--status', 'sold'], '0\n'],
  ])('%j prints the number alone', async (words, stdout) => {
    const list = await startStaging(many(250, (id) => (id % 10 === 0 ? 'Goldie' : 'Rex')));
    expect(await list(['--count', ...words])).toEqual({ stdout, stderr: '', exitCode: 0 });
  });

  it.each([
    [['--limit', '5'], '--limit'],
    [['--fields', 'id'], '--fields'],
    [['--csv'], 'csv'],
    [['--excel'], 'csv'],
  ])('%j is refused', async (words, named) => {
    const run = await runPetstore(['list', '--count', ...words]);
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    expect(run.stderr).toContain(named);
  });

  it('says that it may be a part, and fails when it had to be the whole', async () => {
    const page = Array.from({ length: 100 }, (_, id) => `{"id":${id},"name":"x","categoryId":1}`);
    const server = await startHttpServer(respondJson(200, `[${page.join(',')}]`));
    const env = stagingAt(server.url);
    expect(await runPetstore(['list', '--count'], { env })).toEqual({
      stdout: '100\n',
      stderr: 'Counted 100 pets; more may exist: the service does not say.\n',
      exitCode: 0,
    });
    expect(await runPetstore(['list', '--count', '--require-complete'], { env })).toMatchObject({
      exitCode: 10,
    });
  });
});

describe('--all on a terminal ends with the count', () => {
  it.each([
    { words: ['--all'], end: '3 pets in staging.\n' },
    { words: ['--all', '--name', 'rex'], end: '1 pet found in staging.\n' },
    { words: ['--all', '--name', 'nobody'], end: 'No pets found.\n' },
    { words: ['--all', '-q'], end: '' },
    { words: [], end: '' },
  ])('$words', async ({ words, end }) => {
    const list = await startStaging(named('Goldie', 'Marigold', 'Rex'));
    // Time that does not pass shows no progress.
    const run = await list(words, { tty: true, clock: new Date(0) });
    expect(run.stderr.replace(/^staging · .*\n/, '')).toBe(end);
  });
});

describe('who looks for a pet in another way is told how', () => {
  const byName = 'Try:  petstore list --name Goldie\n';
  it.each([
    [['list', 'Goldie'], `Error: A name to look for goes after --name.\n${byName}`],
    [
      ['list', '-e', 'production', 'Mrs', 'Whiskers', '--all'],
      "Error: A name to look for goes after --name.\nTry:  petstore list -e production --name 'Mrs Whiskers' --all\n",
    ],
    [['find', 'Goldie'], `Error: Pets are found by petstore list.\n${byName}`],
    [['search', 'Goldie'], `Error: Pets are found by petstore list.\n${byName}`],
    [
      ['-e', 'production', 'find', 'Mrs', 'Whiskers', '--json'],
      // A machine format reports errors as JSON.
      undefined,
    ],
    [['find'], 'Error: Pets are found by petstore list.\nTry:  petstore list --help\n'],
    [
      ['get', 'Goldie'],
      `Error: "Goldie" is not the id of a pet: write a whole number such as 42\n${byName}`,
    ],
    [
      ['get', 'Mrs', 'Whiskers'],
      "Error: This command takes the id of a pet; petstore list finds pets by name.\nTry:  petstore list --name 'Mrs Whiskers'\n",
    ],
    [
      ['get', '1', '2'],
      'Error: Too many arguments: get takes 1, but 2 were given.\nTry:  petstore get --help\n',
    ],
  ])('%j', async (words, stderr) => {
    const run = await runPetstore(words);
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    if (stderr !== undefined) return expect(run.stderr).toBe(stderr);
    expect(JSON.parse(run.stderr)).toMatchObject({
      next: ["petstore -e production list --name 'Mrs Whiskers' --json"],
    });
  });
});

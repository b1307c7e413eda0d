import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { NewPet } from '../../src/contract/pet.ts';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { connectTo, runPetstore } from '../support/run-petstore.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { runInTerminal } from '../support/terminal-session.ts';

const pets: readonly NewPet[] = Array.from({ length: 30 }, (_, index) => ({
  name: index % 10 === 0 ? `Goldie ${index}` : `Rex ${index}`,
  categoryId: BigInt(index % 3),
  status: index % 2 === 0 ? 'available' : 'sold',
}));

let service: TestService;
let variables: Record<string, string>;

beforeAll(async () => {
  service = await openTestService({ pets });
  variables = connectTo(service);
});
afterAll(() => service.close());

const done = { stderr: '', exitCode: 0, signal: null };

describe('a script gets the pets it asked for and silence besides', () => {
  it.each<[string, string]>([
    [
      'list --limit 2',
      'ID  NAME      CATEGORY  STATUS\n 1  Goldie 0         0  available\n 2  Rex 1            1  sold\n',
    ],
    ['list gold -o ids', '1\n11\n21\n'],
    ['ls GOLD -o ids', '1\n11\n21\n'],
    ['find rex 29 -o ids', '30\n'],
    ['list gold --category 1 -o ids', '11\n'],
    ['list --category 2 --limit 2 -o ids', '3\n6\n'],
    ['list --status sold --limit 2 -o ids', '2\n4\n'],
    ['list --status sold rex --category 0 --limit 1 -o ids', '4\n'],
    ['list --newest --limit 2 -o ids', '30\n29\n'],
    ['list --newest --limit 1 -o ids', '30\n'],
    ['list gold --newest -o ids', '21\n11\n1\n'],
    ['list --count', '30\n'],
    ['list gold --count --json', '3\n'],
    ['list --all --newest -o ids --category 0 --status sold', '28\n22\n16\n10\n4\n'],
    ['list nobody', ''],
    ['list nobody --json', '[]\n'],
    [
      'list --limit 1 --json',
      '[\n  {"id":1,"name":"Goldie 0","categoryId":0,"status":"available"}\n]\n',
    ],
    [
      'list --limit 1 --ndjson --string-ids',
      '{"id":"1","name":"Goldie 0","categoryId":"0","status":"available"}\n',
    ],
    ['list --limit 1 --csv --fields name,id', 'name,id\nGoldie 0,1\n'],
  ])('petstore %s', async (line, stdout) => {
    expect(await runPetstore(line, { variables })).toEqual({ ...done, stdout });
  });

  it('finds a letter with an accent however either of the two writes it', async () => {
    const decomposed = 'Jose\u0301';
    const composed = decomposed.normalize();
    const other = await openTestService({
      pets: [composed, decomposed].map((name) => ({ name, categoryId: 7n })),
    });
    onTestFinished(other.close);
    for (const typed of [composed, decomposed]) {
      const run = await runPetstore(['list', typed, '-o', 'ids'], { variables: connectTo(other) });
      expect(run).toEqual({ ...done, stdout: '1\n2\n' });
    }
  });

  it('reads every page with --all', async () => {
    const { stdout, stderr } = await runPetstore('list --all -o ids', { variables });
    expect({ ids: stdout.trim().split('\n').length, stderr }).toEqual({ ids: 30, stderr: '' });
  });
});

describe('a list that is not whole says so', () => {
  const all = '--all shows every pet.';
  const message = 'Showing 20; there are more. --all shows every pet, --newest the latest.';
  const unknown = 'the service does not say whether there are more.';
  it.each([
    ['list', `${message}\n`],
    ['list --newest --csv', `Showing 20; there are more. ${all}\n`],
    ['list -q', `${message}\n`],
    ['list --ndjson', `${JSON.stringify({ code: 'cli_more_pets', message })}\n`],
    ['list --limit 20', ''],
    ['list gold', ''],
    ['list rex', `${message}\n`],
  ])('petstore %s', async (line, stderr) => {
    expect((await runPetstore(line, { variables })).stderr).toBe(stderr);
  });

  it.each([
    ['list', 20, `Showing 20; ${unknown} --all shows every pet, --newest the latest.\n`],
    ['list', 19, ''],
    ['list --limit 20', 20, ''],
    ['list --all', 100, `Showing 100; ${unknown}\n`],
    ['list --count', 100, `Showing 100; ${unknown}\n`],
    ['list --all', 99, ''],
  ])(
    'petstore %s, of a service that links no pages and sends %i pets',
    async (line, count, stderr) => {
      const { url } = await startHttpServer(respondJson(200, formatPets(1, count)));
      expect((await runPetstore(line, { variables: connectTo({ url }) })).stderr).toBe(stderr);
    },
  );
});

describe('a filter looks for one match more, to know whether there is one', () => {
  it.each([
    ['rex', /Showing 20; there are more/],
    ['max', /^$/],
  ])('a last page with %s', async (name, stderr) => {
    const { url } = await startHttpServer((request, response) => {
      if (request.url?.includes('page=2'))
        return respondJson(200, `[{"id":21,"name":"${name}","categoryId":1}]`)(request, response);
      const link = { link: `<${url}/pets?page=2>; rel="next"` };
      return respondJson(200, formatPets(1, 20), link)(request, response);
    });
    const run = await runPetstore('list rex', { variables: connectTo({ url }) });
    expect(run.stderr).toMatch(stderr);
  });

  it('but not where --limit says how many are wanted', async () => {
    const { url, requests } = await startHttpServer((request, response) => {
      const link = { link: '</v1/pets?page=2>; rel="next"' };
      respondJson(200, formatPets(1, 100), link)(request, response);
    });
    await runPetstore('list rex --limit 100', { variables: connectTo({ url }) });
    expect(requests).toEqual(['GET /v1/pets?limit=100']);
  });
});

describe('--newest of another service reads the whole list and turns it around', () => {
  it.each([
    ['ignores the order', 200],
    ['refuses the order', 400],
  ])('which %s', async (_, status) => {
    const refusal = '{"code":"bad","message":"no such parameter","status":400}';
    const { url, requests } = await startHttpServer((request, response) => {
      const isRefused = status === 400 && request.url?.includes('order=');
      respondJson(isRefused ? 400 : 200, isRefused ? refusal : formatPets(1, 3))(request, response);
    });
    const { stdout } = await runPetstore('list --newest --limit 1 -o ids', {
      variables: connectTo({ url }),
    });
    expect({ stdout, requests }).toEqual({
      stdout: '3\n',
      requests: ['GET /v1/pets?limit=2&order=desc', 'GET /v1/pets?limit=100'],
    });
  });
});

describe('a list that breaks off is an error, never a short list, with the code of its first page', () => {
  it.each([
    ['json', ''],
    ['table', ''],
    ['ids', '1\n2\n'],
  ])('%s', async (format, stdout) => {
    const { url } = await startHttpServer((request, response) => {
      if (request.url?.includes('page=2')) return response.destroy();
      const link = { link: `<${url}/pets?page=2>; rel="next"` };
      return respondJson(200, formatPets(1, 2), link)(request, response);
    });
    const run = await runPetstore(`list --all --retries 0 -o ${format}`, {
      variables: connectTo({ url }),
    });
    expect({ stdout: run.stdout, exitCode: run.exitCode }).toEqual({ stdout, exitCode: 8 });
    expect(run.stderr).toContain('The list broke off after 2 pets.');
    // By which support finds it in the log.
    expect(run.stderr).toMatch(/request [\da-f-]{36}/);
  });
});

describe('on a terminal', () => {
  it('says where it is, and fits 80 columns', async () => {
    const long = `${'Sir Barks-a-Lot of the Very Long Name '.repeat(3)}`.trim();
    const { url } = await startHttpServer(
      respondJson(200, JSON.stringify([{ id: 7, name: long, categoryId: 1, status: 'sold' }])),
    );
    const terminal = await runInTerminal('petstore list', { variables: connectTo({ url }) });
    expect(await terminal.waitForEnd()).toBe(
      [
        'ready> petstore list',
        `staging at ${new URL(url).host}`,
        'ID  NAME                                                        CATEGORY  STATUS',
        ' 7  Sir Barks-a-Lot of the Very Long Name Sir Barks-a-Lot of …         1  sold',
        'exit 0',
        'ready>',
      ].join('\n'),
    );
  });

  it('asks which store where several are set up and none is selected', async () => {
    const terminal = await runInTerminal('petstore list --limit 1', {
      variables: { ...variables, PETSTORE_PRODUCTION_URL: 'https://pets.test' },
    });
    await terminal.waitForText('Which store?');
    await terminal.press('Down', 'Enter');
    expect(await terminal.waitForEnd()).toContain('Goldie 0');
  });
});

it('says where nobody can be asked which lines select a store', async () => {
  const run = await runPetstore('list --limit 1', {
    variables: { ...variables, PETSTORE_PRODUCTION_URL: 'https://pets.test' },
  });
  expect(run).toEqual({
    ...{ stdout: '', exitCode: 2, signal: null },
    stderr: [
      'Error: Several environments are set up, and none is selected.',
      'Try:  petstore list --limit 1 --env production',
      '      petstore list --limit 1 --env staging',
      '',
    ].join('\n'),
  });
});

function formatPets(from: number, count: number): string {
  const ids = Array.from({ length: count }, (_, index) => from + index);
  return JSON.stringify(ids.map((id) => ({ id, name: `Rex ${id}`, categoryId: 1 })));
}

import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { connectTo, runPetstore } from '../support/run-petstore.ts';
import { openTestService } from '../support/service.ts';
import { runInTerminal } from '../support/terminal-session.ts';

const pets = [{ name: 'Goldie', categoryId: 7n, status: 'sold' as const }];
const service = await openTestService({ pets });
afterAll(service.close);

describe('shows one pet, and nothing besides', () => {
  it.each([
    ['get 1', 'ID  NAME    CATEGORY  STATUS\n 1  Goldie         7  sold\n'],
    ['get 1 --json', '{"id":1,"name":"Goldie","categoryId":7,"status":"sold"}\n'],
    ['get 1 --csv --fields name', 'name\nGoldie\n'],
  ])('petstore %s', async (line, stdout) => {
    expect(await runPetstore(line, { variables: connectTo(service) })).toEqual({
      ...{ stdout, stderr: '', exitCode: 0, signal: null },
    });
  });
});

it('says which pet is not where', async () => {
  const { stderr, exitCode } = await runPetstore('get 4711', { variables: connectTo(service) });
  expect({ stderr: stderr.replace(/request [\w-]+/, 'request …'), exitCode }).toEqual({
    stderr: [
      'Error: There is no pet 4711 in staging.',
      `  404 not_found: GET ${service.url}/pets/4711`,
      '  request …',
      'Try:  petstore list --env staging',
      '',
    ].join('\n'),
    exitCode: 5,
  });
});

it('refuses what is not a number in words', async () => {
  expect(await runPetstore('get dog')).toMatchObject({
    stderr:
      'Error: "dog" is not the number of a pet: write a whole number such as 7.\nTry:  petstore get --help\n',
    exitCode: 2,
  });
});

it('reads the list once the service has removed the operation, and is silent about it', async () => {
  const later = await openTestService({ pets, asOf: new Date('2030-12-06T00:00:00Z') });
  const found = await runPetstore('get 1 -o ids', { variables: connectTo(later) });
  const missing = await runPetstore('get 2 -o ids', { variables: connectTo(later) });
  await later.close();
  expect([found, missing]).toMatchObject([
    { stdout: '1\n', stderr: '', exitCode: 0 },
    { stdout: '', stderr: expect.stringContaining('There is no pet 2 in staging.'), exitCode: 5 },
  ]);
});

it.each([
  ['Thu, 05 Dec 2030 00:00:00 GMT', 0],
  ['Wed, 04 Dec 2030 23:59:59 GMT', 5],
])('takes a 404 of %s for what it is then', async (date, exitCode) => {
  const { url } = await startHttpServer((request, response) => {
    const isList = request.url?.startsWith('/v1/pets?');
    const missing = '{"code":"not_found","message":"gone","status":404}';
    const body = isList ? '[{"id":1,"name":"Rex","categoryId":7}]' : missing;
    respondJson(isList ? 200 : 404, body, { date })(request, response);
  });
  expect((await runPetstore('get 1', { variables: connectTo({ url }) })).exitCode).toBe(exitCode);
});

it('takes what is no number for a part of a name, where a person reads a table', async () => {
  const service = await openTestService();
  onTestFinished(service.close);
  const variables = { PETSTORE_STAGING_URL: service.url, PETSTORE_API_KEY: service.key };
  await runPetstore(['add', 'Mrs Whiskers', '--category', '7'], { variables });
  const terminal = await runInTerminal(
    'petstore show mrs whisk; petstore get anna bello; petstore get rex -o table',
    { variables },
  );
  await terminal.waitForText('exit 2');
  const shown = await terminal.waitForEnd();
  expect(shown).toContain(' 1  Mrs Whiskers         7  available\nexit 0');
  expect(shown).toContain('No pet has "anna bello" in its name.\nexit 0');
});

import { afterAll, describe, expect, it } from 'vitest';
import { runAt } from '../support/desk.ts';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { connectTo, runPetstore } from '../support/run-petstore.ts';
import { runShell } from '../support/run-shell.ts';
import { openTestService } from '../support/service.ts';

const service = await openTestService();
afterAll(service.close);
const variables = connectTo(service);

const json = expect.stringMatching(
  /^\{"id":\d+,"name":"Rex","categoryId":7,"status":"available"\}\n$/,
);

describe('a script adds one pet and gets it back, and silence besides', () => {
  it.each([
    [['add', 'Rex', '--category', '7', '--json'], ''],
    [['--json', 'add', '--category=7', 'Rex'], ''],
    [['add', '--from', '-', '--json'], '{"name":"Rex","categoryId":7}'],
    [['add', '--from', '-', '--json', '--category', '7'], '\ufeff{"name":"Rex","categoryId":1}'],
    [['add', 'Rex', '--from', '-', '--ndjson'], '{"categoryId":7,"status":"available"}'],
  ])('petstore %j', async (words, stdin) => {
    expect(await runPetstore(words, { variables, stdin })).toEqual({
      ...{ stdout: json, stderr: '', exitCode: 0, signal: null },
    });
  });

  it('keeps every digit of a category', async () => {
    const line = 'add Rex --category 9223372036854775807 --csv --fields categoryId';
    expect((await runPetstore(line, { variables })).stdout).toBe(
      'categoryId\n9223372036854775807\n',
    );
  });

  it('adds once under one idempotency key', async () => {
    const line = 'add Rex --category 7 --idempotency-key till-9 -o ids';
    const [first, second] = [
      await runPetstore(line, { variables }),
      await runPetstore(line, { variables }),
    ];
    expect(second).toEqual(first);
  });
});

describe('what cannot be added is refused before anything is sent', () => {
  it.each<[string | string[], string, string?]>([
    ['add', 'Missing: the name and --category <id>.'],
    ['add Rex', 'Missing: --category <id>.'],
    ['add Mrs Whiskers --category 3', 'Try:  petstore add "Mrs Whiskers" --category 3'],
    [
      'add Mrs Whiskers -e staging --status sold --csv',
      'Try:  petstore add "Mrs Whiskers" --status sold --env staging --output csv',
    ],
    ['add Max 7 Sold', 'Try:  petstore add Max --category 7 --status sold'],
    ['add Old Max 7', 'Try:  petstore add "Old Max" --category 7'],
    ['add Rex --category dog', '"dog" is not a category number: write a whole number such as 7.'],
    [['add', ' ', '--category', '7'], 'The name is empty: write a name.'],
    [['add', 'J\ufffdrgen', '--category', '7'], 'The name contains U+FFFD (\ufffd)'],
    [
      'add Rex --category 7 --status asleep',
      '"asleep" is not a status: write available, pending or sold.',
    ],
    [`add pst_${'a'.repeat(49)} --category 7`, 'An API key cannot be given as an argument.'],
    ['add --from -', 'Try:  petstore import', '[{"name":"Rex"}]'],
    ['add --from -', 'A pet has no field "age".', '{"name":"Rex","categoryId":7,"age":2}'],
    ['add --from nothere.json', 'There is no file nothere.json.'],
    [
      ['add', 'Rex', '--idempotency-key', 'a b'],
      'The idempotency key must be 1 to 255 printable ASCII characters without spaces.',
    ],
    ['add Rex --category 7 --fields nme', 'There is no field "nme".'],
  ])('%j', async (words, text, stdin = '') => {
    const { url, requests } = await startHttpServer(respondJson(500, ''));
    const run = await runPetstore(words, { variables: connectTo({ url }), stdin });
    expect(run).toMatchObject({ stdout: '', stderr: expect.stringContaining(text), exitCode: 2 });
    expect(requests).toEqual([]);
  });
});

describe('--dry-run shows the pet and the place and sends nothing', () => {
  it.each([
    ['', (url: string) => `Would add "Rex", category 7, available, to staging (${url}).\n`],
    ['--json', () => '{"name":"Rex","categoryId":7}\n'],
    ['--csv --fields categoryId,name', () => 'categoryId,name\n7,Rex\n'],
  ])('%s', async (format, stdout) => {
    const { url, requests } = await startHttpServer(respondJson(500, ''));
    const run = await runPetstore(`add Rex --category 7 --dry-run ${format}`, {
      variables: { PETSTORE_STAGING_URL: url },
    });
    expect({ ...run, requests }).toMatchObject({ stdout: stdout(url), exitCode: 0, requests: [] });
  });
});

describe('an add whose outcome is unknown names the line that is safe to run', () => {
  it.each([
    [
      'honors keys',
      { 'petstore-idempotency': 'days=7' },
      /^petstore add Rex --category 7 --idempotency-key \S+ --env staging --output json$/,
    ],
    ['honors no keys', {}, /^petstore list --newest --env staging --output json "?--"? Rex$/],
  ])('at a service that %s', async (_, headers, line) => {
    const run = await runAt((request, response) => {
      // A GET that asks whether keys are honored gets its response; the add is cut off.
      if (request.method === 'POST') return response.destroy();
      return respondJson(200, '[]', headers)(request, response);
    }, 'add Rex --category 7 --json --retries 1');
    expect({ ...JSON.parse(run.stderr), stdout: run.stdout, exit: run.exitCode }).toMatchObject({
      ...{ code: 'cli_outcome_unknown', exitCode: 9, exit: 9, outcome: 'unknown', stdout: '' },
      try: [expect.stringMatching(line)],
    });
  });
});

it('warns of the same line while nothing says that keys are honored', async () => {
  const run = await runAt((_, response) => response.destroy(), 'add Rex --category 7 --json');
  expect(JSON.parse(run.stderr)).toMatchObject({
    outcome: 'unknown',
    details: expect.arrayContaining([
      'Running the same line again could add it twice. Look first:',
    ]),
    try: [expect.stringMatching('petstore list --newest')],
  });
});

it('says that a pet was added when its output cannot be written', async () => {
  const line = 'petstore add Rex --category 7 --json > /dev/full';
  const { exitCode, stderr } = await runShell(line, variables);
  expect({ exitCode, ...JSON.parse(stderr) }).toMatchObject({
    ...{ exitCode: 1, code: 'cli_output', outcome: 'applied' },
    details: [expect.stringMatching(/^Pet \d+ was added to staging\.$/)],
  });
});

describe('a protected environment', () => {
  const protect = (url: string) => ({
    PETSTORE_PRODUCTION_URL: url,
    PETSTORE_API_KEY: service.key,
  });

  const refusal = 'production is protected: a write must be confirmed.';
  const other = '--confirm names "staging", but this goes to production.';
  it('offers both where --confirm names another environment with an address', async () => {
    const variables = { ...protect(service.url), PETSTORE_STAGING_URL: 'http://127.0.0.1:9' };
    const line = 'petstore add Rex --category 7 --env';
    const run = await runPetstore('add Rex --category 7 -e production --confirm staging', {
      variables,
    });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain(`Try:  ${line} staging --confirm staging\n`);
    expect(run.stderr).toContain(
      'petstore add Rex --category 7 -e production --confirm production\n',
    );
  });

  it.each([
    ['', refusal, ' --env production --confirm production'],
    [' -e production', refusal, ' -e production --confirm production'],
    [' --confirm staging', other, ' --env production --confirm production'],
    [' --confirm=staging', other, ' --env production --confirm production'],
  ])(
    'refuses petstore add Rex --category 7%s where nobody can be asked',
    async (end, message, next) => {
      const line = 'add Rex --category 7';
      expect(await runPetstore(line + end, { variables: protect(service.url) })).toMatchObject({
        stderr: [
          `Error: ${message}`,
          `  Add "Rex", category 7, available, to production (${new URL(service.url).host}).`,
          `Try:  petstore ${line}${next}`,
          '',
        ].join('\n'),
        exitCode: 3,
      });
    },
  );

  it.each([
    ['add Rex --category 7 --json', 'Rex'],
    // Behind -- an option would be a word of the name.
    ['add --category 7 --json -- -Rex', '-Rex'],
  ])('takes the line that it names when it refuses petstore %s', async (line, name) => {
    const variables = protect(service.url);
    const refused = await runPetstore(line, { variables });
    const [next = '']: string[] = JSON.parse(refused.stderr).try;
    const { stdout, stderr } = await runPetstore(next.replace(/petstore |"/g, ''), { variables });
    expect({ ...JSON.parse(stdout), stderr }).toMatchObject({ name, stderr: '' });
  });

  it('is protected under every other name of its origin', async () => {
    const variables = { ...protect(service.url), PETSTORE_STAGING_URL: service.url };
    const run = await runPetstore('add Rex --category 7 -e staging', { variables });
    expect(run).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('staging is protected'),
    });
  });
});

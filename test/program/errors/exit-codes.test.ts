import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { createHome, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';
import { stagingAt } from '../../support/staging.ts';
import { within } from '../../support/within.ts';

const quick = ['--retries', '0'];
const serviceError = (status: number, code: string) =>
  JSON.stringify({ code, message: 'because', status });

async function openService() {
  const service = await startService({ pets: [{ name: 'Rex', categoryId: 7n }] });
  onTestFinished(service.close);
  return stagingAt(service.url, service.key);
}

async function runAgainst(answer: RequestListener, argv: readonly string[]) {
  const server = await startHttpServer(answer);
  const run = await runPetstore([...argv, ...quick, '--json'], { env: stagingAt(server.url) });
  return { run, error: run.stderr === '' ? undefined : lastError(run.stderr), server };
}

function lastError(stderr: string): Record<string, unknown> {
  return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
}

/** A port of this machine on which nothing listens. */
async function findClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('0: done', () => {
  it.each([
    [['list']],
    [['list', '--status', 'sold']],
    [['get', '1']],
    [['add', 'Bello', '--category', '1']],
  ])('%j', async (argv) => {
    expect(await runPetstore(argv, { env: await openService() })).toMatchObject({ exitCode: 0 });
  });

  it('an empty list is success, with an empty array', async () => {
    const env = await openService();
    const run = await runPetstore(['list', '--status', 'sold', '--json'], { env });
    expect(run).toEqual({ stdout: '[]\n', stderr: '', exitCode: 0 });
  });
});

describe('2: usage or local validation, nothing was sent', () => {
  it.each([
    [['lits'], "Unknown command 'lits'. Did you mean list?"],
    [['list', '--stauts', 'sold'], "Unknown option '--stauts'. Did you mean --status?"],
    [['list', '--status', 'availabel'], 'Did you mean available?'],
    [['list', '--status', 'avail'], 'Did you mean available?'],
    [['list', '--limit', '0'], '"0" is not a limit: write a whole number from 1'],
    [['list', '--limit', '1.5'], '"1.5" is not a limit: write a whole number from 1'],
    [['list', '--limit', '5', '--all'], '--limit has no effect with --all'],
    [['list', 'extra'], 'A name to look for goes after --name.'],
    [['doctor', 'extra'], 'Too many arguments'],
    [['list', '-o', 'jsn'], 'Did you mean json?'],
    [['list', '--fields', 'id,nmae'], 'Did you mean name?'],
    [['list', '--timeout', '5'], '"5" is not a duration: write a number and its unit'],
    [['list', '--timeout', '121s'], '"121s" is not a timeout: at most 2m'],
    [['history', '--since', '36501d'], '"36501d" is not a duration: at most 36500d'],
    [['db', 'audit', '--since', '999999999d'], 'is not a duration: at most 36500d'],
    [['env', 'use', 'staging', '--for', '8d'], '"8d" is not a time to work somewhere: at most 7d'],
    [['list', '-e', 'stagign'], 'Did you mean staging?'],
    [['list', '-e', ''], 'There is no environment called "" (from --env).'],
    [['list', '-e', 'constructor'], 'There is no environment called "constructor"'],
    [['auth', 'login', '--storage', 'fil'], 'Did you mean file?'],
    [['list', '--fields', 'id,name,id'], 'id is given twice'],
    [['get'], 'Missing: <id>'],
    [['get', 'seven'], '"seven" is not the id of a pet: write a whole number such as 42'],
    [['get', '9223372036854775808'], 'is not the id of a pet (the largest is 9223372036854775807)'],
    [['get', '1', '--via', 'lits'], 'Did you mean list?'],
    [['add'], 'Missing: the name (its first argument) and --category <id>'],
    [['add', 'Rex'], 'Missing: --category <id>'],
    [
      ['add', 'Rex', '--category', 'dog'],
      '"dog" is not a category number: write a whole number such as 7',
    ],
    [['add', ' ', '--category', '1'], 'name: is empty'],
    [['add', 'a\u0007', '--category', '1'], 'holds a character that cannot be shown'],
    [['add', 'x'.repeat(256), '--category', '1'], 'is longer than 255 characters'],
    [['add', 'Rex', '--category', '1', '--idempotency-key', 'a b'], 'printable ASCII'],
    [
      ['add', 'Rex', '--category', '7', '--status', 'sold', '--from', 'rex.json'],
      '--from has no effect: name, --category and --status are given',
    ],
    [
      ['auth', 'login', '--key-stdin', '--key-file', 'k'],
      '--key-stdin has no effect with --key-file',
    ],
    [['help', 'outptu'], 'Did you mean output?'],
  ])('%j', async (argv, message) => {
    const server = await startHttpServer(respondJson(200, '[]'));
    const run = await runPetstore(argv, { env: stagingAt(server.url) });
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    expect(run.stderr).toContain(message);
    expect(run.stderr).toMatch(/^Error: .+\n(?: {2}.+\n)*(?:Try: {2}petstore .+\n)?$/);
    expect(server.requests).toEqual([]);
  });

  it('formats that contradict each other', async () => {
    const run = await runPetstore(['list', '--csv', '--json']);
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    expect(lastError(run.stderr)).toMatchObject({
      code: 'cli_usage',
      message: '--json and --csv ask for different formats',
      next: ['petstore help output'],
    });
  });

  it.each([
    ['http://pets.example.com/v1', 'https'],
    ['https://pets.example.com', 'must end in /v1'],
    ['https://ann:secret@pets.example.com/v1', 'must not contain a user name'],
    ['pets.example.com/v1', 'not a URL'],
  ])('the URL %s', async (url, message) => {
    const run = await runPetstore(['list'], { env: stagingAt(url) });
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    expect(run.stderr).toContain(message);
    expect(run.stderr).toContain('from PETSTORE_STAGING_URL');
    expect(run.stderr).not.toContain('secret');
  });
});

describe('2: certificates are not checked', () => {
  it('is refused before the keychain is opened, with the way to trust an authority', async () => {
    const env = {
      PETSTORE_STAGING_URL: 'https://pets.test/v1',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    };
    const run = await runPetstore(['list', '--json'], { env });
    expect(run.exitCode).toBe(2);
    expect(lastError(run.stderr)).toMatchObject({
      code: 'cli_invalid_config',
      message:
        'NODE_TLS_REJECT_UNAUTHORIZED=0 would let anybody on the network path read the API key.',
      next: [
        'unset NODE_TLS_REJECT_UNAUTHORIZED',
        'export NODE_EXTRA_CA_CERTS=/path/to/authority.pem',
      ],
    });
  });

  it('concerns nobody where there are none: http on this machine', async () => {
    const env = { ...(await openService()), NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    expect((await runPetstore(['list'], { env })).exitCode).toBe(0);
  });
});

describe('3: refused, needs a confirmation and may not ask', () => {
  it('a write to a protected environment in a pipe', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const env = { PETSTORE_PRODUCTION_URL: service.url, PETSTORE_API_KEY: service.key };
    const run = await runPetstore(['add', 'Rex', '--category', '7', '-e', 'production'], { env });
    expect(run).toEqual({
      stdout: '',
      stderr:
        'Error: production is protected: a write to it must be confirmed\n' +
        `  production is ${service.url}\n` +
        'Try:  petstore add --env production --confirm production Rex --category 7\n',
      exitCode: 3,
    });
  });
});

describe('4: the key', () => {
  it('is missing', async () => {
    const env = { PETSTORE_STAGING_URL: 'https://pets.example.com/v1' };
    const run = await runPetstore(['list'], { env });
    expect(run).toMatchObject({ stdout: '', exitCode: 4 });
    expect(run.stderr).toContain('Try:  petstore auth login --env staging');
  });

  it('is rejected', async () => {
    const env = { ...(await openService()), PETSTORE_STAGING_API_KEY: 'not-the-key-a1b2' };
    const run = await runPetstore(['list'], { env });
    expect(run).toMatchObject({ stdout: '', exitCode: 4 });
    expect(run.stderr).toMatch(
      /^Error: The API key for staging was not accepted.\n {2}401 unauthorized: GET http.*\n {2}key from PETSTORE_STAGING_API_KEY, ending a1b2\nTry: {2}petstore auth /,
    );
  });
});

describe('4: a page with 401 instead of an Error', () => {
  it('is a key that was not accepted', async () => {
    const page: RequestListener = (_, response) =>
      response.writeHead(401, { 'content-type': 'text/html' }).end('<h1>Login</h1>');
    const { run, error } = await runAgainst(page, ['list']);
    expect(run).toMatchObject({ stdout: '', exitCode: 4 });
    expect(error).toMatchObject({
      class: 'auth',
      code: 'cli_unexpected_response',
      status: 401,
      message: 'The API key for staging was not accepted.',
      details: [
        "the response is text/html, not JSON (perhaps a proxy's page)",
        'key from PETSTORE_STAGING_API_KEY, ending 1234',
      ],
    });
  });
});

describe('5: not found', () => {
  it.each(['get', 'list'])('a pet that is not there, via %s', async (via) => {
    const run = await runPetstore(['get', '99', '--via', via], { env: await openService() });
    expect(run).toMatchObject({ stdout: '', exitCode: 5 });
    expect(run.stderr).toMatch(/^Error: There is no pet 99 in staging\.\n/);
    expect(run.stderr).toContain('Try:  petstore list --env staging --all\n');
  });

  it('status, code and URL of the response stand beneath the sentence', async () => {
    const run = await runPetstore(['get', '99'], { env: await openService() });
    expect(run.stderr).toMatch(
      /^.+\n {2}404 not_found: GET http:\/\/127.0.0.1:\d+\/v1\/pets\/99\n/,
    );
  });

  it('a pet below a URL that may be wrong: the reason, and how to look at the URL', async () => {
    const env = await openService();
    const url = String(env.PETSTORE_STAGING_URL).replace('/v1', '/shop/v1');
    const run = await runPetstore(['get', '99'], { env: { ...env, PETSTORE_STAGING_URL: url } });
    expect(run.exitCode).toBe(5);
    expect(run.stderr).toMatch(
      /\n {2}there is no such path\nTry: {2}petstore list .*\n {6}petstore env show staging --explain\n$/,
    );
  });

  it('a URL without a pet store', async () => {
    const { error } = await runAgainst(respondJson(404, serviceError(404, 'not_found')), ['list']);
    expect(error).toMatchObject({
      message: 'There is no pet store at the URL of staging.',
      details: ['because'],
      exitCode: 5,
    });
  });
});

describe('6: rejected by the service', () => {
  it.each([
    [400, 'invalid_request'],
    [413, 'payload_too_large'],
    [422, 'idempotency_mismatch'],
  ])('%i %s on add', async (status, code) => {
    const { run, error } = await runAgainst(respondJson(status, serviceError(status, code)), [
      'add',
      'Rex',
      '--category',
      '7',
    ]);
    expect(run).toMatchObject({ stdout: '', exitCode: 6 });
    expect(error).toMatchObject({ code, status, class: 'rejected', outcome: 'not_applied' });
  });
});

describe('7: the service failed or is too busy', () => {
  const list = ['list'];
  it.each<[string, RequestListener, Record<string, unknown>]>([
    [
      '500',
      respondJson(500, serviceError(500, 'internal_error')),
      { code: 'internal_error', status: 500 },
    ],
    [
      '503 with Retry-After',
      respondJson(503, serviceError(503, 'unavailable'), { 'retry-after': '7' }),
      { code: 'unavailable', retryable: true, details: ['it asks to wait 7 s'] },
    ],
    [
      '503 with a Retry-After of years',
      respondJson(503, serviceError(503, 'unavailable'), { 'retry-after': '100000000' }),
      { details: [expect.stringMatching(/^it asks to wait until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)] },
    ],
    [
      'a message of a million characters, which is cut',
      respondJson(500, JSON.stringify({ code: 'x', message: 'y'.repeat(1_000_000), status: 500 })),
      { message: `staging failed: ${'y'.repeat(1000)}…` },
    ],
    [
      'a page with 404: not our service',
      (_, response) =>
        response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>'),
      { message: 'There is no pet store at the URL of staging.', retryable: false },
    ],
    ['408', respondJson(408, serviceError(408, 'request_timeout')), { retryable: true }],
    ['429', respondJson(429, serviceError(429, 'too_many')), { retryable: true }],
    [
      'HTML',
      (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Login</h1>'),
      {
        code: 'cli_unexpected_response',
        message: expect.stringContaining(
          "sent an unexpected response: text/html, not JSON (perhaps a proxy's page)",
        ),
      },
    ],
    [
      'a 502 page',
      (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>'),
      { status: 502 },
    ],
    ['no content type', (_, response) => response.end('[]'), { code: 'cli_unexpected_response' }],
    [
      'truncated JSON',
      respondJson(200, '[{"id":1,"na'),
      { message: expect.stringContaining('truncated') },
    ],
    ['another JSON', respondJson(200, '{"pets":[]}'), { code: 'cli_unexpected_response' }],
    [
      'an id beyond int64',
      respondJson(200, '[{"id":9223372036854775808,"name":"x","categoryId":1}]'),
      { code: 'cli_unexpected_response' },
    ],
    [
      'an unknown status',
      respondJson(200, '[{"id":1,"name":"x","categoryId":1,"status":"lost"}]'),
      {
        message:
          'staging sent an unexpected response: [0].status must be one of available, pending, sold, is "lost"',
      },
    ],
    [
      'a redirect, which is not followed',
      (_, response) => response.writeHead(302, { location: 'https://evil.example/v1/pets' }).end(),
      { message: expect.stringContaining('never followed') },
    ],
    [
      'a next page elsewhere',
      respondJson(200, '[]', { link: '<https://evil.example/v1/pets>; rel="next"' }),
      { code: 'cli_unexpected_response' },
    ],
    [
      'a page that names itself as next',
      respondJson(200, '[]', { link: '<?limit=20>; rel="next"' }),
      { code: 'cli_unexpected_response' },
    ],
  ])('%s', async (_name, answer, expected) => {
    const { run, error, server } = await runAgainst(answer, list);
    expect(run).toMatchObject({ stdout: '', exitCode: 7 });
    expect(error).toMatchObject({
      type: 'error',
      class: 'service',
      exitCode: 7,
      environment: 'staging',
      ...expected,
    });
    expect(server.requests).toEqual(['GET /v1/pets?limit=20']);
  });

  it('a response larger than any page', async () => {
    const { run, error } = await runAgainst((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`["${'x'.repeat(17 * 1024 * 1024)}"]`);
    }, list);
    expect(run).toMatchObject({ stdout: '', exitCode: 7 });
    expect(error).toMatchObject({ message: expect.stringContaining('larger than any page') });
  });

  it('the connection is reset in the middle of the body', async () => {
    const { run, error } = await runAgainst(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('[{"id":1', () => response.socket?.resetAndDestroy());
      },
      ['list'],
    );
    expect(run).toMatchObject({ stdout: '', exitCode: 7 });
    expect(error).toMatchObject({
      code: 'cli_connection_lost',
      class: 'service',
      message: expect.stringMatching(/^staging: the connection was lost in the middle of the resp/),
      retryable: true,
    });
  });
});

describe('8: the service could not be reached', () => {
  it('nothing listens there', async () => {
    const url = `http://127.0.0.1:${await findClosedPort()}/v1`;
    const run = await runPetstore(['list', ...quick], { env: stagingAt(url) });
    expect(run).toEqual({
      stdout: '',
      stderr:
        'Error: staging cannot be reached: the connection was refused: nothing listens there\n' +
        `  GET ${url}/pets?limit=20\n` +
        'Try:  petstore env show staging --explain\n',
      exitCode: 8,
    });
  });

  it('the name is not known', async () => {
    const env = stagingAt('https://no-such-host.invalid/v1');
    const run = await runPetstore(['list', '--json', ...quick], { env });
    expect(run.exitCode).toBe(8);
    expect(lastError(run.stderr)).toMatchObject({ code: 'cli_unreachable', outcome: 'not_sent' });
  });

  it.each([{ HTTP_PROXY: 'http://p:1' }, { http_proxy: 'http://p:1' }])(
    'and %j alone is said not to be used',
    async (variables) => {
      const [name] = Object.keys(variables);
      const env = { ...stagingAt('https://no-such-host.invalid/v1'), ...variables };
      const run = await runPetstore(['list', '--json', ...quick], { env });
      expect(run.exitCode).toBe(8);
      expect(lastError(run.stderr)).toMatchObject({
        details: [`${name} is set and not used: HTTPS_PROXY names the proxy`],
      });
    },
  );

  it('a dead proxy is named as the proxy', async () => {
    const proxy = `127.0.0.1:${await findClosedPort()}`;
    const env = {
      ...stagingAt('https://pets.test/v1'),
      HTTPS_PROXY: `http://ann:secret@${proxy}`,
    };
    const run = await runPetstore(['list', ...quick], { env });
    expect(run).toEqual({
      stdout: '',
      stderr:
        `Error: staging cannot be reached through the proxy http://${proxy}: the connection was refused: nothing listens there\n` +
        '  GET https://pets.test/v1/pets?limit=20\n' +
        '  the proxy is named by HTTPS_PROXY; hosts in NO_PROXY are reached without it\n' +
        'Try:  petstore env show staging --explain\n' +
        '      export NO_PROXY=pets.test\n',
      exitCode: 8,
    });
  });

  it('it is too slow', async () => {
    const { run, error } = await runAgainst(() => {}, ['list', '--timeout', '100ms']);
    expect(run).toMatchObject({ stdout: '', exitCode: 8 });
    expect(error).toMatchObject({
      code: 'cli_timeout',
      message: 'staging: no complete response within 0.1 s',
    });
  });
});

describe('9: the outcome of a write is unknown', () => {
  const add = [
    'add',
    'Rex\' "x"',
    '--category',
    '7',
    '--status',
    'sold',
    '--idempotency-key',
    'k1',
  ];
  const rerun =
    "petstore add --env staging --idempotency-key k1 'Rex'\\'' \"x\"' --category 7 --status sold";
  const honored = { 'petstore-idempotency': '7d' };

  const failures: [string, RequestListener][] = [
    ['the connection is lost', (request) => request.socket.destroy()],
    ['500', respondJson(500, serviceError(500, 'internal_error'))],
    [
      'a page instead of the pet',
      (_, response) => response.writeHead(201, { 'content-type': 'text/html' }).end('ok'),
    ],
    ['time runs out', () => {}],
    [
      'an earlier request with the same key has not ended',
      respondJson(409, serviceError(409, 'idempotency_conflict')),
    ],
  ];

  it.each(failures)('%s, and nothing is promised: look before', async (_name, answer) => {
    const { run, error } = await runAgainst(answer, [...add, '--timeout', '200ms']);
    expect(run).toMatchObject({ stdout: '', exitCode: 9 });
    expect(error).toMatchObject({
      class: 'unknown_outcome',
      outcome: 'unknown',
      retryable: false,
      request: { method: 'POST' },
      next: [`petstore list --env staging --all --name 'Rex'\\'' "x"'`],
    });
    expect(String(error?.details)).toMatch(/may add it twice, so look first$/);
  });

  it.each([
    ['500', respondJson(500, serviceError(500, 'internal_error'), honored)],
    [
      'an earlier request with the same key has not ended',
      respondJson(409, serviceError(409, 'idempotency_conflict'), honored),
    ],
  ])('%s, and keys are honored: the same line again', async (_name, answer) => {
    const { run, error } = await runAgainst(answer, add);
    expect(run).toMatchObject({ stdout: '', exitCode: 9 });
    expect(error).toMatchObject({ outcome: 'unknown', retryable: true, next: [rerun] });
    expect(String(error?.details)).not.toContain('twice');
  });

  it('what the service promised an earlier run counts when it is out of reach', async () => {
    const HOME = await createHome();
    let isLost = false;
    const { url } = await startHttpServer((request, response) => {
      if (isLost) request.socket.destroy();
      else respondJson(201, '{"id":1,"name":"Rex","categoryId":7}', honored)(request, response);
    });
    const env = { ...stagingAt(url), HOME };
    const line = ['add', 'Rex', '--category', '7', '--idempotency-key', 'k1', '--json', ...quick];
    expect((await runPetstore(line, { env })).exitCode).toBe(0);
    isLost = true;
    const { stderr, exitCode } = await runPetstore(line, { env });
    expect(exitCode).toBe(9);
    expect(lastError(stderr)).toMatchObject({
      retryable: true,
      next: ['petstore add --env staging --idempotency-key k1 Rex --category 7'],
    });
  });

  it('but a request that surely never left is 8', async () => {
    const url = `http://127.0.0.1:${await findClosedPort()}/v1`;
    const run = await runPetstore([...add, '--json', ...quick], { env: stagingAt(url) });
    expect(run.exitCode).toBe(8);
    expect(lastError(run.stderr)).toMatchObject({ outcome: 'not_sent' });
  });
});

describe('1: the created pet is not the one that was sent', () => {
  const add = ['add', 'Rex', '--category', '7', '--status', 'sold'];

  it.each([
    ['{"id":4,"name":"rex","categoryId":7,"status":"sold"}', 'name: sent "Rex", is "rex"'],
    ['{"id":4,"name":"Rex","categoryId":8,"status":"sold"}', 'categoryId: sent 7, is 8'],
    ['{"id":4,"name":"Rex","categoryId":7}', 'status: sent "sold", is absent'],
  ])('%s: printed, and not to be repeated', async (created, difference) => {
    const { run, error } = await runAgainst(respondJson(201, created), add);
    expect(run.exitCode).toBe(1);
    expect(JSON.parse(run.stdout)).toEqual(JSON.parse(created));
    expect(error).toMatchObject({
      code: 'cli_pet_differs',
      outcome: 'applied',
      retryable: false,
      details: [difference, 'it was added all the same: do not add it again'],
      next: ['petstore get --env staging 4'],
    });
  });

  it('a status that was not sent is the choice of the service', async () => {
    const created = '{"id":4,"name":"Rex","categoryId":7,"status":"pending"}';
    const { run } = await runAgainst(respondJson(201, created), add.slice(0, -2));
    expect(run.exitCode).toBe(0);
  });
});

describe('10: incomplete', () => {
  it('more pets exist and --require-complete was given: the rows, then the error', async () => {
    const service = await startService({
      pets: [1n, 2n].map((categoryId) => ({ name: 'Rex', categoryId })),
    });
    onTestFinished(service.close);
    const env = stagingAt(service.url, service.key);
    const argv = ['list', '--limit', '1', '--require-complete', '-q'];
    expect(await runPetstore(argv, { env })).toEqual({
      stdout: '1\n',
      stderr:
        'Error: Showing 1 pet; more exist. Use --all.\nTry:  petstore list --env staging --all\n',
      exitCode: 10,
    });
  });
});

describe('130 and 143: stopped', () => {
  it.each([
    ['SIGINT', 130, 'cli_interrupted'],
    ['SIGTERM', 143, 'cli_terminated'],
  ])('%s while a pet is being added', async (signal, exitCode, code) => {
    const stop = new AbortController();
    const server = await startHttpServer(() => stop.abort({ signal }));
    const aborted = once(stop.signal, 'abort');
    const running = runPetstore(
      ['add', 'Rex', '--category', '7', '--idempotency-key', 'k1', '--json'],
      { env: stagingAt(server.url), signal: stop.signal },
    );
    await Promise.race([aborted, running]);
    const run = await within(running, `add ends on ${signal}`, 2_000);
    expect(run).toMatchObject({ stdout: '', exitCode });
    expect(lastError(run.stderr)).toMatchObject({
      code,
      outcome: 'unknown',
      retryable: false,
      next: ['petstore list --env staging --all --name Rex'],
    });
  });
});

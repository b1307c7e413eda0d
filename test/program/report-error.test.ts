import { afterAll, describe, expect, it } from 'vitest';
import { runAt } from '../support/desk.ts';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { startRawServer } from '../support/raw-server.ts';
import { connectTo, isStandalone, runPetstore, startPetstore } from '../support/run-petstore.ts';
import { runShell } from '../support/run-shell.ts';
import { openTestService } from '../support/service.ts';
import { isWindows, itOnPosix } from '../support/system.ts';
import { waitFor } from '../support/wait-for.ts';

const service = await openTestService({ pets: [{ name: 'Rex', categoryId: 7n }] });
afterAll(service.close);

function hideIds(text: string): string {
  return text.replaceAll(/request [\w-]{36}/g, 'request …').replaceAll(/127\.0\.0\.1:\d+/g, 'host');
}

describe('a failure says in words what failed, where, why, and what to type next', () => {
  itOnPosix('a key that is not accepted', async () => {
    const run = await runPetstore('list', { variables: connectTo({ url: service.url }) });
    expect({ ...run, stderr: hideIds(run.stderr) }).toEqual({
      ...{ stdout: '', exitCode: 4, signal: null },
      stderr: [
        'Error: The API key for staging was not accepted.',
        '  401 unauthorized: GET http://host/v1/pets?limit=20',
        '  key from PETSTORE_STAGING_API_KEY, ending 9f2a',
        '  request …',
        'Try:  unset PETSTORE_STAGING_API_KEY',
        '',
      ].join('\n'),
    });
  });

  it('a key that may only read', async () => {
    const key = await service.createKey({ name: 'reader', access: 'read' });
    const run = await runPetstore('add Rex --category 7', {
      variables: connectTo({ url: service.url, key: key }),
    });
    expect(run).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('The API key for staging is read-only.'),
    });
  });

  it('a service that is not available, with the same line', async () => {
    const busy = respondJson(503, '{"code":"unavailable","message":"try later","status":503}');
    const run = await runAt(busy, 'list gold --limit 5 --retries 0');
    expect(hideIds(run.stderr)).toBe(
      [
        'Error: staging is not available at the moment.',
        '  503 unavailable: GET http://host/v1/pets?limit=100',
        '  try later',
        '  request …',
        'Try:  petstore list gold --limit 5 --retries 0',
        '',
      ].join('\n'),
    );
  });

  it('nobody at the address', async () => {
    const run = await runPetstore('list --retries 0', {
      variables: connectTo({ url: 'http://127.0.0.1:9/v1' }),
    });
    expect(run).toMatchObject({
      exitCode: 8,
      stderr: expect.stringMatching(
        /^Error: 127.0.0.1:9 cannot be reached: .*\n(.*\n)*Try: {2}petstore doctor --env staging\n$/,
      ),
    });
  });

  it('nothing set up', async () => {
    expect(await runPetstore('list')).toMatchObject({
      exitCode: 2,
      stderr: [
        'Error: No environment is set up.',
        '  set PETSTORE_STAGING_URL to its address and PETSTORE_STAGING_API_KEY to its key, or store both by',
        '  petstore login --env staging --url <address> --key-stdin',
        'Try:  petstore login --help',
        '',
      ].join('\n'),
    });
  });

  it('no key', async () => {
    const run = await runPetstore('list', { variables: { PETSTORE_STAGING_URL: service.url } });
    expect(run).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('no API key') });
  });
});

it('a refusal that is not about access is in the words of the service', async () => {
  const body = '{"code":"forbidden","message":"This address may not read.","status":403}';
  const { url } = await startHttpServer(respondJson(403, body));
  const variables = connectTo({ url });
  for (const line of ['list', 'get 1', 'doctor', 'env']) {
    const { stderr, stdout } = await runPetstore(line, { variables });
    expect(stderr + stdout).toContain('This address may not read.');
    expect(stderr + stdout).not.toContain('read-only');
  }
});

it('a refusal of an add as forbidden has the words of the service beside ours', async () => {
  const body = '{"code":"forbidden","message":"Only till 3 may add.","status":403}';
  const run = await runAt(respondJson(403, body), 'add Rex --category 7');
  expect(run.stderr).toContain('  it says: Only till 3 may add.\n');
});

it('a login that reaches nobody is repeated as it was: nothing is set up that doctor could check', async () => {
  const line = 'login --env staging --url http://127.0.0.1:9 --key-stdin --retries 0';
  const { stderr } = await runPetstore(line, { stdin: 'a-key' });
  expect(stderr).toMatch(new RegExp(`Try: {2}petstore ${line}\\n$`));
});

it('another refusal of an add is in the words of the service, too', async () => {
  const body = '{"code":"closed","message":"The store is closed.","status":403}';
  const run = await runAt(respondJson(403, body), 'add Rex --category 7');
  expect(run).toMatchObject({ exitCode: 4, stderr: expect.stringMatching(/^Error: The store is/) });
});

describe('whether the very same add may be run again, once its outcome is unknown', () => {
  const honored = { 'petstore-idempotency': '7d' };
  it.each([
    ['not with a key that petstore made', 500, '', honored, false],
    ['with a key that was typed', 500, '--idempotency-key k1', honored, true],
    ['not where the service honors none', 500, '--idempotency-key k1', {}, false],
    ['not where nobody knows what happened', 303, '', honored, false],
  ])('%s', async (_, status, options, headers, retryable) => {
    const body = `{"code":"internal_error","message":"oh","status":${status}}`;
    const line = `add Rex --category 7 --retries 0 --json ${options}`;
    const { stderr, exitCode } = await runAt(respondJson(status, body, headers), line);
    expect(exitCode).toBe(9);
    expect(JSON.parse(stderr)).toMatchObject({ outcome: 'unknown', retryable });
  });
});

it('an interrupted read may be run again', async () => {
  const { url, requests } = await startHttpServer(() => {});
  const { child, ended } = await startPetstore('list --json', { variables: connectTo({ url }) });
  await waitFor(() => expect(requests).toHaveLength(1));
  child.kill('SIGTERM');
  expect(JSON.parse((await ended).stderr)).toMatchObject({ retryable: true });
});

itOnPosix('is one JSON line for a script that asked for JSON', async () => {
  const { stderr } = await runPetstore('list --json', {
    variables: connectTo({ url: service.url }),
  });
  const line: unknown = JSON.parse(stderr);
  expect(line).toEqual({
    ...{ code: 'unauthorized', message: 'The API key for staging was not accepted.', exitCode: 4 },
    environment: 'staging',
    request: {
      ...{ method: 'GET', url: `${service.url}/pets?limit=20`, status: 401 },
      id: expect.stringMatching(/^[\w-]{36}$/),
    },
    ...{ outcome: 'not_applied', retryable: false },
    details: expect.any(Array),
    try: ['unset PETSTORE_STAGING_API_KEY'],
  });
});

it.each(['Sesame9', '9/Sesame', "'Sesame9'"])(
  'never repeats the password %s of a database URL that was typed in the wrong place',
  async (password) => {
    const url = `postgres://till:${password}@127.0.0.1/pets`;
    for (const format of ['--json', '--csv']) {
      const { stderr } = await runPetstore(['serve', '--port', url, format]);
      expect(stderr).toContain('postgres://till:…@127.0.0.1');
      expect(stderr).not.toContain('Sesame');
    }
  },
);

const isOtherHost = isStandalone || isWindows;
it.skipIf(isOtherHost)('is no success where the program ends before its command has', async () => {
  // What is written is never taken.
  const swallow = 'data:text/javascript,process.stdout.write=()=>true';
  const variables = { NODE_OPTIONS: `--import=${swallow}` };
  expect(await runPetstore('--version', { variables })).toMatchObject({ stdout: '', exitCode: 1 });
});

it.skipIf(isStandalone)('stands on stderr without Node’s advice to programmers', async () => {
  const { port } = await startRawServer((socket) => socket.end());
  const variables = {
    ...connectTo({ url: 'https://pets.test' }),
    // By number, which Node deprecates.
    HTTPS_PROXY: `https://127.0.0.1:${port}`,
  };
  const { stderr } = await runPetstore('list --json --retries 0', { variables });
  expect(JSON.parse(stderr).message).toContain(`The proxy 127.0.0.1:${port} cannot be used`);
});

it('leaves the word password in what it advises', async () => {
  const url = 'postgres://db.test/petstore?password=Sesame9';
  const { stderr } = await runPetstore(['keys', 'list', '--database', url]);
  expect(stderr).toContain('postgres://<user>:<password>@<host>/…');
  expect(stderr).not.toContain('Sesame');
});

it('shows requests with -v, and no key with -vv', async () => {
  const variables = connectTo(service);
  const plain = await runPetstore('list --limit 1 -v -o ids', { variables });
  const full = await runPetstore('list --limit 1 -vv -o ids', { variables });
  expect(plain.stderr).toMatch(/^> GET \S+\/pets\?limit=1 \(request \S+\)\n< 200 \(\d+ ms\)\n$/);
  expect(full.stderr).toContain('"name":"Rex"');
  expect(full.stderr).not.toContain(service.key);
  const short = await runPetstore('list -vv', {
    variables: connectTo({ url: service.url, key: 'abcdef1' }),
  });
  expect(short.stderr).toContain('> Authorization: Bearer [redacted]');
  expect(short.stderr).not.toContain('abcdef1');
});

it('has the request id of an add that was stopped and may be stored', async () => {
  const { url, requests } = await startHttpServer(() => {});
  const variables = connectTo({ url });
  const { child, ended } = await startPetstore('add Rex --category 7 --json', { variables });
  await waitFor(() => expect(requests).toHaveLength(1));
  child.kill('SIGTERM');
  expect(JSON.parse((await ended).stderr)).toMatchObject({
    ...{ code: 'cli_terminated', outcome: 'unknown' },
    request: { method: 'POST', id: expect.stringMatching(/^[\da-f-]{36}$/) },
  });
});

it('has the request id that the service was sent', async () => {
  const ids: unknown[] = [];
  const { stderr } = await runAt((request, response) => {
    ids.push(request.headers['x-request-id']);
    respondJson(500, '{"code":"internal_error","message":"oh","status":500}')(request, response);
  }, 'list --json --retries 0');
  expect(JSON.parse(stderr)).toMatchObject({ request: { id: ids[0] } });
});

it('shows where with PETSTORE_DEBUG', async () => {
  const variables = { PETSTORE_DEBUG: '1' };
  expect((await runPetstore('list', { variables })).stderr).toMatch(/\n {2}UserError: .*\n\s+at /);
  const { port } = await startRawServer((socket) => socket.end('no HTTP, but pst_anything-9f2a'));
  const connected = { ...variables, ...connectTo({ url: `http://127.0.0.1:${port}` }) };
  const { stderr } = await runPetstore('list --retries 0', { variables: connected });
  expect(stderr).toMatch(/RequestError: [\s\S]*\n {2}Caused by: HTTPParserError: .*\n\s+at /);
  expect(stderr).not.toContain('anything-9f2a');
});

it('never shows the text of a service raw', async () => {
  const body = JSON.stringify({ code: 'bad', message: '\u001b[2Jgone', status: 400 });
  const { stderr } = await runAt(respondJson(400, body), 'list');
  expect(stderr).toContain('Error: ␛[2Jgone');
});

describe('what reads the output', () => {
  it.each([
    [
      'may stop early: that is no error',
      'petstore list --all --ndjson | head -1; echo $PIPESTATUS >&2',
      '0\n',
    ],
    [
      'may be full',
      'petstore list > /dev/full',
      'Error: The output could not be written: no space is left on the disk.\n',
    ],
    [
      'may be full for help, too',
      'petstore --help > /dev/full',
      'Error: The output could not be written: no space is left on the disk.\n',
    ],
  ])('%s', async (_, line, stderr) => {
    expect((await runShell(line, connectTo(service))).stderr).toBe(stderr);
  });

  it('gets all of a large list through a pipe', async () => {
    const pets = Array.from({ length: 3000 }, (_, id) => ({
      id,
      name: 'x'.repeat(100),
      categoryId: 1,
    }));
    const { url } = await startHttpServer(respondJson(200, JSON.stringify(pets)));
    const { stdout } = await runShell('petstore list --all --json | cat', connectTo({ url }));
    expect(JSON.parse(stdout)).toEqual(pets);
  });
});

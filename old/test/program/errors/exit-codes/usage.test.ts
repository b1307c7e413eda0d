import { describe, expect, it } from 'vitest';
import { respondJson, startHttpServer } from '../../../support/http-server.ts';
import { runPetstore } from '../../../support/run-program.ts';
import { stagingAt } from '../../../support/staging.ts';
import { lastError, openService } from './run-against.ts';

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

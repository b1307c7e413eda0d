import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { issueKey } from '../../../src/service/keys/issue-key.ts';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { type Machine, openMachine } from '../../support/machine.ts';
import { makeFolder } from '../../support/make-folder.ts';

const createdAt = new Date('2026-11-20T09:00:00Z');
const DAY_MS = 86_400_000;
const daysLater = (days: number) => new Date(createdAt.getTime() + days * DAY_MS);

let machine: Machine;
beforeEach(async () => {
  machine = await openMachine({ now: () => createdAt });
});

/** Creates a key in staging. */
async function makeKey(access: 'read' | 'write', expiresAt?: Date): Promise<string> {
  return (await issueKey(machine.staging.store, { name: 'it', access, createdAt, expiresAt })).key;
}

const login = (stdin: string) => machine.run('auth login --key-stdin', { stdin });
const listPets = async () =>
  JSON.parse((await machine.staging.store.listPets({ after: 0n, limit: 100 })).json);

describe('what a key may do and when it ends', () => {
  it('is remembered at login and shown by status, without asking the service', async () => {
    const key = await makeKey('read', daysLater(30));
    const stored = await login(key);
    expect(stored.stderr).toContain('It can only read. It ends on 2026-12-20.');
    await machine.staging.close();
    const { stdout } = await machine.run('auth status --json');
    expect(JSON.parse(stdout)).toMatchObject([
      { access: 'read', expiresAt: '2026-12-20T09:00:00.000Z', state: 'unchecked' },
    ]);
    const end = key.slice(-4);
    expect((await machine.run('auth status')).stdout).toBe(
      '   ENVIRONMENT  STATE      ENDING  ACCESS                 FROM             REASON  URL\n' +
        `*  staging      unchecked  ${end}    read until 2026-12-20  the OS keychain  -       ${machine.staging.url}\n`,
    );
  });

  it('is not known of a key that was stored unchecked, until a response has said it', async () => {
    const stdin = await makeKey('read');
    await machine.run('auth login --key-stdin --no-verify', { stdin });
    const status = async () => JSON.parse((await machine.run('auth status --json')).stdout);
    expect(await status()).toMatchObject([{ access: null, expiresAt: null }]);
    await machine.run('list');
    expect(await status()).toMatchObject([{ access: 'read', expiresAt: null }]);
  });

  it('follows what the service says: a key that is rotated gets an end', async () => {
    await login(await makeKey('write'));
    const [, key] = await machine.staging.store.listKeys();
    await machine.staging.store.rotateKey({
      ...{ id: key?.id ?? 0n, endsAt: daysLater(3) },
      successor: { hash: new Uint8Array(32), name: 'it', createdAt },
    });
    await expect
      .poll(async () => (await machine.run('list')).stderr, { timeout: 2_000 })
      .toContain('The API key for staging ends on 2026-11-23 (in 3 days).');
    expect(JSON.parse((await machine.run('auth status --json')).stdout)).toMatchObject([
      { access: 'write', expiresAt: '2026-11-23T09:00:00.000Z' },
    ]);
  });

  it('is asked anew by status --check, of a key in a variable too', async () => {
    const env = { PETSTORE_STAGING_API_KEY: await makeKey('read', daysLater(1)) };
    const { stdout } = await machine.run('auth status --check --json', { env });
    expect(JSON.parse(stdout)).toMatchObject([
      { state: 'ok', access: 'read', expiresAt: '2026-11-21T09:00:00.000Z' },
    ]);
  });

  it('is nothing for a service that does not say it', async () => {
    const { url } = await startHttpServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('[]');
    });
    const env = { PETSTORE_STAGING_URL: url };
    await machine.run('auth login --key-stdin', { stdin: 'some-key-a1b2', env });
    const { stdout } = await machine.run('auth status --json', { env });
    expect(JSON.parse(stdout)).toMatchObject([{ access: null, expiresAt: null }]);
  });
});

describe('the end of a key', () => {
  it('is noticed within seven days of it, once a day', async () => {
    await login(await makeKey('write', daysLater(7.5)));
    const listAt = async (clock: Date, flags = '') =>
      (await machine.run(`list${flags}`, { clock })).stderr;
    expect(await listAt(createdAt)).not.toContain('ends');
    const notice =
      'The API key for staging ends on 2026-11-27 (in 6 days). Ask whoever runs the service for its successor, then: petstore auth login --env staging\n';
    expect(await listAt(daysLater(1))).toContain(notice);
    expect(await listAt(daysLater(1.2))).not.toContain('ends');
    expect(await listAt(daysLater(2), ' --quiet')).toBe('');
    const json = (await listAt(daysLater(2), ' --json')).trim().split('\n').at(-1) ?? '';
    expect(JSON.parse(json)).toMatchObject({
      ...{ type: 'notice', code: 'cli_key_ends', environment: 'staging' },
      expiresAt: '2026-11-27T21:00:00.000Z',
    });
  });
});

it('the end of a key that is not accepted any more is said', async () => {
  await login(await makeKey('write', daysLater(30)));
  await machine.staging.store.revokeKey(2n, createdAt);
  const list = async () => (await machine.run('list')).stderr;
  await expect
    .poll(list, { timeout: 2_000 })
    .toContain('the service said that it ends on 2026-12-20T09:00:00.000Z');
});

describe('a write with a key that can only read', () => {
  const refusal = {
    ...{ exitCode: 4, stdout: '' },
    stderr: expect.stringContaining('The API key for staging can only read.'),
  };

  async function makeDelivery(): Promise<string> {
    const file = `${await makeFolder()}/delivery.csv`;
    await writeFile(file, 'name,categoryId\nRex,7\n');
    return file;
  }

  /** Logs in through a server that counts what is sent from then on. */
  async function openCounted() {
    const { hostname, port } = new URL(machine.staging.url);
    const counted = await startHttpServer((from, to) => {
      const { method, headers, url: path } = from;
      const onward = request({ hostname, port, method, headers, path }, (response) => {
        to.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(to);
      });
      from.pipe(onward);
    });
    const env = { PETSTORE_STAGING_URL: counted.url };
    const stdin = await makeKey('read');
    await machine.run('auth login --key-stdin', { stdin, env });
    const before = counted.requests.length;
    return { env, stdin, countSent: () => counted.requests.length - before };
  }

  it.each([
    'add Rex --category 7',
    'add Rex --category 7 --idempotency-key k1',
    'import FILE',
    'import FILE --fresh',
    'import FILE --resume',
  ])('is refused before anything is sent: %s', async (line) => {
    const { env, countSent } = await openCounted();
    const argv = line.replace('FILE', await makeDelivery());
    expect(await machine.run(argv, { env })).toMatchObject(refusal);
    expect(countSent()).toBe(0);
    expect(await listPets()).toEqual([]);
  });

  it('is refused before the first question', async () => {
    const { env, countSent } = await openCounted();
    // No answers: it would fail if anything was asked.
    const prompt = createFakePrompt();
    expect(await machine.run('add', { env, prompt, tty: true })).toMatchObject({ exitCode: 4 });
    expect(countSent()).toBe(0);
  });

  it.each(['add Rex --category 7', 'import FILE'])(
    'adds nothing with a key in a variable, of which nothing is known: %s',
    async (line) => {
      const env = { PETSTORE_STAGING_API_KEY: await makeKey('read') };
      const argv = line.replace('FILE', await makeDelivery());
      expect(await machine.run(argv, { env })).toMatchObject(refusal);
      expect(await listPets()).toEqual([]);
    },
  );

  it('asks nothing with a key in a variable either: the check before says it', async () => {
    const env = { PETSTORE_STAGING_API_KEY: await makeKey('read') };
    const prompt = createFakePrompt();
    expect(await machine.run('add', { env, prompt, tty: true })).toMatchObject({ exitCode: 4 });
  });

  it('is code, outcome and exit for scripts', async () => {
    await login(await makeKey('read'));
    const { stderr } = await machine.run('add Rex --category 7 --json');
    expect(JSON.parse(stderr)).toMatchObject({
      ...{ code: 'cli_key_read_only', class: 'auth', exitCode: 4, outcome: 'not_sent' },
      ...{ retryable: false, next: ['petstore auth login --env staging'] },
    });
  });

  it('may be rehearsed, and works again after the login with another key', async () => {
    await login(await makeKey('read'));
    expect((await machine.run('add Rex --category 7 --dry-run')).exitCode).toBe(0);
    await login(await makeKey('write'));
    expect((await machine.run('add Rex --category 7')).exitCode).toBe(0);
  });
});

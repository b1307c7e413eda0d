import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startHttpServer } from '../../support/http-server.ts';
import { type Machine, openMachine } from '../../support/machine.ts';

let machine: Machine;
beforeEach(async () => {
  machine = await openMachine();
});

describe('which key is sent', () => {
  it.each([
    [
      ['PETSTORE_STAGING_API_KEY', 'PETSTORE_API_KEY', 'FILE', 'stored'],
      'PETSTORE_STAGING_API_KEY',
    ],
    [['PETSTORE_API_KEY', 'FILE', 'stored'], 'PETSTORE_API_KEY'],
    [['FILE', 'stored'], 'PETSTORE_API_KEY_FILE'],
    [['stored'], 'the OS keychain'],
    [['PETSTORE_PRODUCTION_API_KEY', 'stored'], 'the OS keychain'],
  ])('of %j is that of %s', async (given, winner) => {
    const { run, home, staging } = machine;
    if (given.includes('stored')) await run('auth login --key-stdin', { stdin: staging.key });
    const file = path.join(home, 'key.txt');
    await writeFile(file, 'from-file-a1b2\n');
    const env: Record<string, string> = {};
    for (const name of given) {
      if (name === 'FILE') env.PETSTORE_API_KEY_FILE = file;
      else if (name !== 'stored') env[name] = `from-${name}`;
    }
    const { stdout } = await run('auth status --json', { env });
    expect(JSON.parse(stdout)[0].from).toContain(winner);
  });
});

describe('a key', () => {
  it('is bound to its origin', async () => {
    const { run, staging, production } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    const moved = { env: { PETSTORE_STAGING_URL: production.url } };
    expect(await run('list', moved)).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('The key of staging is for another URL'),
    });
  });

  it.each([
    ['another port', 'keychain', 'http://127.0.0.1:8080/v1', 'http://127.0.0.1:8081/v1'],
    ['another port', 'file', 'http://127.0.0.1:8080/v1', 'http://127.0.0.1:8081/v1'],
    ['another scheme', 'keychain', 'http://127.0.0.1:8080/v1', 'https://127.0.0.1:8080/v1'],
    ['another scheme', 'file', 'http://127.0.0.1:8080/v1', 'https://127.0.0.1:8080/v1'],
  ])('is one of its own for %s of the same host (%s)', async (_, storage, first, second) => {
    const { run } = machine;
    const at = (url: string) => ({ env: { PETSTORE_STAGING_URL: url } });
    const login = `auth login --key-stdin --no-verify --storage ${storage}`;
    await run(login, { ...at(first), stdin: 'key-of-the-first' });
    expect(await run('auth token', at(second))).toMatchObject({ stdout: '', exitCode: 4 });
    expect(await run(login, { ...at(second), stdin: 'key-of-the-second' })).toMatchObject({
      exitCode: 0,
    });
    expect((await run('auth token', at(first))).stdout).toBe('key-of-the-first\n');
    expect((await run('auth token', at(second))).stdout).toBe('key-of-the-second\n');
  });

  it('is not sent to another port of the same host', async () => {
    const { run, staging } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    const elsewhere = await startHttpServer((_, response) => response.writeHead(401).end());
    const moved = { env: { PETSTORE_STAGING_URL: elsewhere.url } };
    expect(await run('list', moved)).toMatchObject({ stdout: '', exitCode: 4 });
    expect(elsewhere.requests).toEqual([]);
  });

  it('does not follow a redirect, not even to its own origin', async () => {
    const { run, staging } = machine;
    const elsewhere = await startHttpServer((_, response) => {
      response.writeHead(307, { location: `${staging.url}/pets` }).end();
    });
    const env = { PETSTORE_STAGING_URL: elsewhere.url, PETSTORE_API_KEY: staging.key };
    expect(await run('list', { env })).toMatchObject({ stdout: '', exitCode: 7 });
    expect(elsewhere.requests).toEqual(['GET /v1/pets?limit=20']);
  });
});

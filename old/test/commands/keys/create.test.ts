import { describe, expect, it, onTestFinished } from 'vitest';
import { isApiKey } from '../../../src/contract/api-key.ts';
import { call, post } from '../../support/http.ts';
import { startService } from '../../support/service.ts';
import { openDatabase } from './open-database.ts';

describe('petstore keys create', () => {
  it('prints the key alone, once, and says so on stderr', async () => {
    const { run, database } = await openDatabase();
    const { stdout, stderr, exitCode } = await run(['keys', 'create', '--name', 'till-3']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^pst_\w+\n$/);
    expect(isApiKey(stdout.trim())).toBe(true);
    expect(stderr).toBe(`Created key 1 ("till-3") in ${database}. It is not shown again.\n`);
    for (const format of ['table', 'json', 'csv', 'ndjson'])
      expect((await run(['keys', 'list', '-o', format])).stdout).not.toContain(stdout.trim());
  });

  it('creates keys that a service on the same database accepts, running or not', async () => {
    const { run, database } = await openDatabase();
    const before = await run(['keys', 'create', '--name', 'before']);
    const service = await startService({ database });
    onTestFinished(service.close);
    const during = await run(['keys', 'create', '--name', 'during', '--quiet']);
    for (const { stdout } of [before, during])
      expect((await call({ ...service, key: stdout.trim() }, '/pets')).status).toBe(200);
  });

  it('prints an object with --json', async () => {
    const { run } = await openDatabase();
    const { stdout } = await run([
      'keys',
      'create',
      '--name',
      'audit',
      '--expires',
      '30d',
      '--json',
    ]);
    expect(JSON.parse(stdout)).toEqual({
      id: 1,
      name: 'audit',
      access: 'write',
      createdAt: '2026-11-20T12:00:00.000Z',
      expiresAt: '2026-12-20T12:00:00.000Z',
      key: expect.stringMatching(/^pst_/),
    });
  });

  it.each([
    [['keys', 'create'], 'Missing: --name <label>'],
    [['keys', 'create', '--name', ' '], 'write 1 to 100 characters'],
    [['keys', 'create', '--name', 'a', '--expires', 'soon'], 'write a number and its unit'],
  ])('%j is a usage error', async (words, message) => {
    const { run } = await openDatabase();
    const { stdout, stderr, exitCode } = await run(words);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
    expect(stderr).toContain('Try:  petstore keys create --help');
  });
});

describe('petstore keys create --access', () => {
  it('makes a key that cannot add', async () => {
    const { run, database } = await openDatabase();
    const { stdout } = await run(['keys', 'create', '--name', 'audit', '--access', 'read']);
    const service = await startService({ database });
    onTestFinished(service.close);
    const reader = { ...service, key: stdout.trim() };
    expect((await call(reader, '/pets')).status).toBe(200);
    expect((await post(reader, '{"name":"Rex","categoryId":7}')).status).toBe(403);
  });

  it('is read or write', async () => {
    const { run } = await openDatabase();
    const words = ['keys', 'create', '--name', 'a', '--access', 'admin'];
    expect(await run(words)).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

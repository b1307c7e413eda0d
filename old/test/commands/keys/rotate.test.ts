import { describe, expect, it, onTestFinished } from 'vitest';
import { isApiKey } from '../../../src/contract/api-key.ts';
import { call } from '../../support/http.ts';
import { startService } from '../../support/service.ts';
import { clock, openDatabase } from './open-database.ts';

describe('petstore keys rotate', () => {
  it('creates a key of the same name, access and lifetime, and lets the old one end', async () => {
    const { run, database } = await openDatabase();
    await run(['keys', 'create', '--name', 'audit', '--access', 'read', '--expires', '30d']);
    const later = { clock: new Date('2026-11-25T12:00:00.000Z') };
    const { stdout, stderr, exitCode } = await run(['keys', 'rotate', '1', '--grace', '7d'], later);
    expect(exitCode).toBe(0);
    expect(isApiKey(stdout.trim())).toBe(true);
    expect(stderr).toBe(
      `Created key 2 ("audit") in ${database}. It is not shown again. It ends on 2026-12-25T12:00:00.000Z. It replaces key 1, which ends on 2026-12-02T12:00:00.000Z.\n`,
    );
    expect(JSON.parse((await run(['keys', 'list', '--json'])).stdout)).toMatchObject([
      { id: 1, access: 'read', expiresAt: '2026-12-02T12:00:00.000Z' },
      { id: 2, name: 'audit', access: 'read', expiresAt: '2026-12-25T12:00:00.000Z' },
    ]);
  });

  it('lets both work during the grace period, and only the new one after it', async () => {
    const { run, database } = await openDatabase();
    const old = (await run(['keys', 'create', '--name', 'till'])).stdout.trim();
    const created = (await run(['keys', 'rotate', '1', '--grace', '1h'])).stdout.trim();
    let now = clock;
    const service = await startService({ database, overrides: { now: () => now } });
    onTestFinished(service.close);
    const ask = async (key: string) => (await call({ ...service, key }, '/pets')).status;
    expect([await ask(old), await ask(created)]).toEqual([200, 200]);
    now = new Date(clock.getTime() + 3_600_000);
    await expect.poll(() => ask(old), { interval: 20, timeout: 1_000 }).toBe(401);
    expect(await ask(created)).toBe(200);
  });

  it('never lets a key end later than it would have', async () => {
    const { run } = await openDatabase();
    await run(['keys', 'create', '--name', 'till', '--expires', '1h']);
    const { stdout } = await run(['keys', 'rotate', '1', '--grace', '7d', '--json']);
    expect(JSON.parse(stdout).replaces).toEqual({
      ...{ id: 1, expiresAt: '2026-11-20T13:00:00.000Z' },
    });
  });

  it('says the end of the successor, which a key that is rotated twice passes on', async () => {
    const { run } = await openDatabase();
    await run(['keys', 'create', '--name', 'till']);
    const rotate = ['keys', 'rotate', '1', '--grace', '1h'];
    expect((await run(rotate)).stderr).not.toContain('It ends on');
    expect((await run(rotate)).stderr).toContain('It ends on 2026-11-20T13:00:00.000Z.');
  });

  it.each([
    ['create', '--name', 'b', '--expires'],
    ['rotate', '1', '--grace'],
  ])('refuses a time that no clock reaches, which would be no end at all: %s', async (...words) => {
    const { run } = await openDatabase();
    await run(['keys', 'create', '--name', 'till', '--expires', '1h']);
    const before = (await run(['keys', 'list', '--json'])).stdout;
    const refused = await run(['keys', ...words, '999999999d']);
    expect(refused).toMatchObject({ stdout: '', exitCode: 2 });
    expect((await run(['keys', 'list', '--json'])).stdout).toBe(before);
  });

  it('refuses a key that has ended or was revoked, and creates nothing', async () => {
    const { run, database } = await openDatabase();
    await run(['keys', 'create', '--name', 'till']);
    await run(['keys', 'revoke', '1']);
    expect(await run(['keys', 'rotate', '1'])).toEqual({
      stdout: '',
      stderr: `Error: Key 1 ("till") in ${database} is revoked: create a new one instead\nTry:  petstore keys create --help\n`,
      exitCode: 2,
    });
    expect(await run(['keys', 'rotate', '7'])).toMatchObject({ stdout: '', exitCode: 5 });
    expect((await run(['keys', 'list', '-q'])).stdout).toBe('1\n');
  });
});

import { describe, expect, it } from 'vitest';
import { call } from '../../support/http.ts';
import { startService } from '../../support/service.ts';
import { openDatabase } from './open-database.ts';

describe('petstore keys list', () => {
  it('shows every key with its state, oldest first', async () => {
    const { run } = await openDatabase();
    await run(['keys', 'create', '--name', 'till']);
    await run(['keys', 'create', '--name', 'audit', '--access', 'read', '--expires', '1h']);
    await run(['keys', 'create', '--name', 'ci']);
    await run(['keys', 'revoke', '1'], { clock: new Date('2026-11-20T12:30:00.000Z') });
    const later = { clock: new Date('2026-11-20T13:00:00.000Z') };
    const { stdout } = await run(['keys', 'list'], later);
    expect(stdout).toBe(
      [
        'ID  NAME   ACCESS  STATE    CREATED                   LAST USED  ENDS                      REVOKED',
        '1   till   write   revoked  2026-11-20T12:00:00.000Z  -          -                         2026-11-20T12:30:00.000Z',
        '2   audit  read    expired  2026-11-20T12:00:00.000Z  -          2026-11-20T13:00:00.000Z  -',
        '3   ci     write   active   2026-11-20T12:00:00.000Z  -          -                         -',
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await run(['keys', 'list', '--json'], later)).stdout)[1]).toEqual({
      id: 2,
      name: 'audit',
      access: 'read',
      state: 'expired',
      createdAt: '2026-11-20T12:00:00.000Z',
      lastUsedAt: null,
      expiresAt: '2026-11-20T13:00:00.000Z',
      revokedAt: null,
    });
    expect((await run(['keys', 'list', '-q'])).stdout).toBe('1\n2\n3\n');
  });

  it('shows nothing of a name that a terminal would act on', async () => {
    const { run } = await openDatabase();
    await run(['keys', 'create', '--name', 'ev\u202eil\u001b[2J']);
    for (const format of ['table', 'json'])
      expect((await run(['keys', 'list', '-o', format])).stdout).not.toMatch(/[\u202e\u001b]/);
  });

  it('shows when a key was last used, once the service has written it', async () => {
    const { run, database } = await openDatabase();
    const { stdout } = await run(['keys', 'create', '--name', 'till']);
    const now = () => new Date('2026-11-20T12:34:56.000Z');
    const service = await startService({ database, overrides: { now } });
    await call({ ...service, key: stdout.trim() }, '/pets');
    await service.close();
    const listed = JSON.parse((await run(['keys', 'list', '--json'])).stdout);
    expect(listed[0].lastUsedAt).toBe('2026-11-20T12:34:56.000Z');
  });
});

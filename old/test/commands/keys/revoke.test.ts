import { describe, expect, it, onTestFinished } from 'vitest';
import { call } from '../../support/http.ts';
import { startService } from '../../support/service.ts';
import { openDatabase } from './open-database.ts';

describe('petstore keys revoke', () => {
  it('ends a key on a running service within a second', async () => {
    const { run, database } = await openDatabase();
    const { stdout } = await run(['keys', 'create', '--name', 'lost']);
    const service = await startService({ database });
    onTestFinished(service.close);
    const ask = async () => (await call({ ...service, key: stdout.trim() }, '/pets')).status;
    expect(await ask()).toBe(200);
    expect(await run(['keys', 'revoke', '1'])).toEqual({
      stdout: '',
      stderr: `Key 1 ("lost") in ${database} is revoked.\n`,
      exitCode: 0,
    });
    await expect.poll(ask, { interval: 20, timeout: 1_000 }).toBe(401);
  });

  it.each(['7', 'till', '-1', '1.0'])('says when there is no key %s', async (id) => {
    const { run, database } = await openDatabase();
    expect(await run(['keys', 'revoke', '--', id])).toEqual({
      stdout: '',
      stderr: `Error: There is no key ${id} in ${database}\nTry:  petstore keys list\n`,
      exitCode: 5,
    });
  });
});

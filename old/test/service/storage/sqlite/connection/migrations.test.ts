import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { migrate } from '../../../../../src/service/storage/sqlite/connection/migrations.ts';
import { openConnection } from '../../../../../src/service/storage/sqlite/connection/open-connection.ts';
import { makeFolder } from '../../../../support/make-folder.ts';

it('of two programs that open a new database at once, the second finds it done', async () => {
  const file = path.join(await makeFolder(), 'petstore.db');
  const [first, second] = [openConnection(file), openConnection(file)];
  for (const connection of [first, second]) onTestFinished(() => connection.close());
  // The second has seen that there is something to do, and waits while the first does it.
  const exec = second.exec.bind(second);
  vi.spyOn(second, 'exec').mockImplementationOnce((sql) => {
    expect(sql).toBe('BEGIN IMMEDIATE');
    migrate(first);
    exec(sql);
  });
  migrate(second);
  expect(second.prepare('SELECT count(*) AS count FROM pets').get()).toEqual({ count: 0n });
});

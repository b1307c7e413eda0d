import { chmod } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { canMount, ownMounts } from '../../../support/mount-namespace.ts';
import { runPetstore } from '../../../support/run-petstore.ts';
import { boundByModes, itOnPosix } from '../../../support/system.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

async function createDatabase() {
  const folder = await createTemporaryFolder();
  const file = `${folder}/petstore.db`;
  const options = ['--database', `sqlite:${file}`];
  await runPetstore(['db', 'migrate', ...options]);
  return { folder, file, options };
}

it.runIf(canMount()).each([
  ['serve', '--port', '0'],
  ['keys', 'create', '--name', 'till'],
  ['db', 'migrate'],
])('a read-only file system is called that: %s', async (...words) => {
  const { folder, options } = await createDatabase();
  const mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  const before = [...ownMounts, 'sh', '-c', mount, folder];
  const { stderr, stdout, exitCode } = await runPetstore([...words, ...options], { before });
  expect({ stderr, stdout, exitCode }).toEqual({
    stderr: expect.stringContaining('its file system is read-only'),
    stdout: '',
    exitCode: 2,
  });
});

itOnPosix('a lock that may not be written is refused, with the file to remove', async () => {
  const { file, options } = await createDatabase();
  await chmod(`${file}-lock`, 0o400);
  for (const words of [
    ['serve', '--port', '0'],
    ['db', 'migrate'],
  ]) {
    const refused = await runPetstore([...words, ...options], { before: boundByModes });
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/its lock may not be written\.\n.*remove .*-lock while/),
    });
  }
});

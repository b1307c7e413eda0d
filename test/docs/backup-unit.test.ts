import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { canRun } from '../support/can-run.ts';
import { makeFolder } from '../support/make-folder.ts';
import { makeKey } from '../support/make-key.ts';

const run = promisify(execFile);

/** The unit that the documents write to a file of this name. */
async function readUnit(name: string): Promise<string> {
  const page = path.join(import.meta.dirname, '../../docs/deployment.md');
  const [, block = ''] = (await readFile(page, 'utf8')).split(`/${name}\`:\n\n\`\`\`ini\n`);
  return block.split('```')[0] ?? '';
}

/** A folder in which `petstore` is the built program. */
async function installProgram(): Promise<string> {
  const folder = await makeFolder();
  await symlink(builtProgram, path.join(folder, 'petstore'));
  return folder;
}

it('the command of the documented backup unit makes a backup named after the time', async () => {
  const folder = await makeFolder();
  const backups = path.join(folder, 'backups');
  await mkdir(backups);
  const database = `sqlite:${path.join(folder, 'petstore.db')}`;
  makeKey(database);
  const unit = await readUnit('petstore-backup.service');
  const [, words = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(unit) ?? [];
  // As systemd reads it (systemd.service(5), "COMMAND LINES").
  const script = words.replaceAll('$$', '$').replaceAll('%%', '%');
  const env = {
    PATH: `${await installProgram()}:${path.dirname(process.execPath)}:${process.env.PATH}`,
    PETSTORE_SERVE_DATABASE: database,
  };
  const own = script.replaceAll('/var/backups/petstore', backups);
  await run('/bin/sh', ['-c', own], { env });
  expect(await readdir(backups)).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d-\d{6}\.db$/)]);
});

it.skipIf(!canRun('systemd-analyze'))('systemd accepts the documented backup units', async () => {
  const folder = await makeFolder();
  const files: string[] = [];
  for (const name of ['petstore-backup.service', 'petstore-backup.timer']) {
    const file = path.join(folder, name);
    await writeFile(file, await readUnit(name));
    files.push(file);
  }
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', ...files]);
  expect(stdout + stderr).not.toContain('petstore');
});

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { canRun } from '../support/can-run.ts';
import { readUnit, readUnitScript } from '../support/documented-unit.ts';
import { findFreePort } from '../support/free-port.ts';
import { portOf } from '../support/http-server.ts';
import { makeFolder } from '../support/make-folder.ts';
import { makeKey } from '../support/make-key.ts';
import { startService } from '../support/service.ts';

const run = promisify(execFile);

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
  const script = await readUnitScript('petstore-backup.service', {
    '/var/backups/petstore': backups,
  });
  const env = {
    PATH: `${await installProgram()}:${path.dirname(process.execPath)}:${process.env.PATH}`,
    PETSTORE_SERVE_DATABASE: database,
  };
  await run('/bin/sh', ['-c', script], { env });
  expect(await readdir(backups)).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d-\d{6}\.db$/)]);
});

describe.skipIf(!canRun('curl'))('the command of the documented health unit', () => {
  /** Runs it for this metrics port, with fewer retries; whether it restarted the service. */
  async function checkHealth(port: string): Promise<boolean> {
    const script = await readUnitScript('petstore-health.service', {
      '127.0.0.1:18080': `127.0.0.1:${port}`,
      '--max-time 2 --retry 2': '--max-time 1',
    });
    const folder = await makeFolder();
    const restarted = path.join(folder, 'restarted');
    const systemctl = `#!/bin/sh\n[ "$*" = "try-restart petstore" ] && : > ${restarted}\n`;
    await writeFile(path.join(folder, 'systemctl'), systemctl, { mode: 0o700 });
    await run('/bin/sh', ['-c', script], { env: { PATH: `${folder}:${process.env.PATH}` } });
    return existsSync(restarted);
  }

  it('leaves a service that responds alone', async () => {
    const service = await startService({ overrides: { metricsPort: 0 } });
    onTestFinished(service.close);
    expect(await checkHealth(new URL(service.metricsUrl ?? '').port)).toBe(false);
  });

  it('leaves one that does not listen yet alone', async () => {
    expect(await checkHealth(String(await findFreePort()))).toBe(false);
  });

  it('restarts one that accepts connections and never responds', async () => {
    const hanging = createServer(() => {}).listen(0, '127.0.0.1');
    onTestFinished(() => void hanging.close());
    await once(hanging, 'listening');
    expect(await checkHealth(String(portOf(hanging)))).toBe(true);
  });
});

it.skipIf(!canRun('systemd-analyze'))(
  'systemd accepts the documented units beside the service’s',
  async () => {
    const folder = await makeFolder();
    const files: string[] = [];
    for (const name of ['backup.service', 'backup.timer', 'health.service', 'health.timer']) {
      const file = path.join(folder, `petstore-${name}`);
      await writeFile(file, await readUnit(`petstore-${name}`));
      files.push(file);
    }
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', ...files]);
    expect(stdout + stderr).not.toContain('petstore');
  },
);

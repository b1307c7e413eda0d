import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from './free-port.ts';
import { findOwner } from './postgres-cluster.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(
  (file) => existsSync(file),
);

/** Why tests behind PgBouncer cannot run here; undefined when they can. @throws when CI is true */
export function findPgbouncerObstacle(): string | undefined {
  if (program !== undefined) return undefined;
  const reason = 'no PgBouncer: install one (Debian: pgbouncer)';
  if (process.env.CI === 'true') throw new Error(reason);
  return reason;
}

export interface Pgbouncer {
  readonly url: string;
  close(): Promise<void>;
}

/** PgBouncer with the settings of docs/deployment.md in front of the database of this URL. */
export async function openPgbouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction',
): Promise<Pgbouncer> {
  if (program === undefined) throw new Error('no PgBouncer here');
  const { hostname, port, username, password } = new URL(databaseUrl);
  const [own, owner] = [await findFreePort(), await findOwner()];
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-pgbouncer-'));
  const file = path.join(folder, 'pgbouncer.ini');
  const settings = [
    ...['[databases]', `* = host=${hostname} port=${port} user=${username} password=${password}`],
    ...['[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${own}`, 'unix_socket_dir ='],
    ...['auth_type = any', `pool_mode = ${mode}`],
    'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,options',
  ];
  await writeFile(file, settings.join('\n'));
  if (owner.uid !== undefined && owner.gid !== undefined)
    for (const place of [folder, file]) await chown(place, owner.uid, owner.gid);
  const child = spawn(program, ['-q', file], { ...owner, cwd: '/', stdio: 'ignore' });
  const exited = once(child, 'exit');
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(own) });
  return {
    url: url.href,
    async close() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

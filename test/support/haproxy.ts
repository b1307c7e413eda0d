import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from './free-port.ts';
import { findServerPrograms } from './postgres-cluster.ts';
import type { PostgresPair } from './postgres-pair.ts';

const program = ['/usr/sbin/haproxy', '/usr/bin/haproxy', '/usr/local/sbin/haproxy'].find((file) =>
  existsSync(file),
);

/** Why tests behind HAProxy cannot run here; undefined when they can. @throws when CI is true */
export function findHaproxyObstacle(): string | undefined {
  if (program !== undefined) return undefined;
  const reason = 'no HAProxy: install one (Debian: haproxy)';
  if (process.env.CI === 'true') throw new Error(reason);
  return reason;
}

export interface Haproxy {
  /** Leads to whichever server is the primary. */
  readonly port: number;
  close(): Promise<void>;
}

/** HAProxy in TCP mode in front of two PostgreSQL servers, of which it finds the primary. */
export async function openHaproxy({ ports, password }: PostgresPair): Promise<Haproxy> {
  if (program === undefined) throw new Error('no HAProxy here');
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-haproxy-'));
  const port = await findFreePort();
  const check = path.join(folder, 'check-primary');
  const file = path.join(folder, 'haproxy.cfg');
  await writeFile(check, describeCheck(password));
  await chmod(check, 0o700);
  await writeFile(file, describeProxy(port, ports, check));
  const child = spawn(program, ['-db', '-q', '-f', file], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const exited = once(child, 'exit');
  return {
    port,
    async close() {
      child.kill('SIGTERM');
      child.kill('SIGUSR1');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

function describeCheck(password: string): string {
  const psql = path.join(findServerPrograms() ?? '', 'psql');
  return `#!/bin/sh
export PGPASSWORD=${password} PGCONNECT_TIMEOUT=1
[ "$(${psql} -h "$3" -p "$4" -U petstore -d postgres -Atqc 'SELECT pg_is_in_recovery()')" = f ]
`;
}

function describeProxy(port: number, ports: readonly number[], check: string): string {
  const servers = ports.map((server, index) => `    server pg${index} 127.0.0.1:${server} check`);
  return `global
    external-check
    insecure-fork-wanted

defaults
    mode tcp
    timeout connect 2s
    timeout client 1h
    timeout server 1h

listen postgres
    bind 127.0.0.1:${port}
    option external-check
    external-check command ${check}
    default-server inter 500ms fall 1 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}

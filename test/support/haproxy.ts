import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from './free-port.ts';

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

/** HAProxy with the configuration of docs/deployment.md in front of PostgreSQL servers at these ports. */
export async function openHaproxy(serverPorts: readonly number[]): Promise<Haproxy> {
  if (program === undefined) throw new Error('no HAProxy here');
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-haproxy-'));
  const port = await findFreePort();
  const file = path.join(folder, 'haproxy.cfg');
  await writeFile(file, adapt(await readDocumented(), port, serverPorts));
  const child = spawn(program, ['-db', '-q', '-f', file], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  return {
    port,
    async close() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

async function readDocumented(): Promise<string> {
  const file = path.resolve(import.meta.dirname, '../../docs/deployment.md');
  const snippet = /```haproxy\n(.*?)```/s.exec(await readFile(file, 'utf8'))?.[1];
  if (snippet === undefined) throw new Error('docs/deployment.md has no HAProxy configuration');
  return snippet;
}

function adapt(snippet: string, port: number, serverPorts: readonly number[]): string {
  const left = [...serverPorts];
  return snippet
    .replace(/bind .*/, `bind 127.0.0.1:${port}`)
    .replaceAll(/(server \S+) \S+/g, (line, server) =>
      line.startsWith('server db-') ? `${server} 127.0.0.1:${left.shift()}` : line,
    );
}

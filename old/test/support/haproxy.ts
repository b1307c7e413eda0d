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
  /** Leads to a server that its checks found fit. */
  readonly port: number;
  close(): Promise<void>;
}

/** HAProxy with the configuration of docs/deployment.md in front of PostgreSQL servers at these ports. */
export async function openPostgresHaproxy(serverPorts: readonly number[]): Promise<Haproxy> {
  const left = [...serverPorts];
  return await openHaproxy('postgres', (line) =>
    line.replace(/(server db-\S+) \S+/, (_, server) => `${server} 127.0.0.1:${left.shift()}`),
  );
}

/** The same in front of two instances, by their ports, but for its TLS. */
export async function openInstancesHaproxy(
  instances: readonly { readonly port: number; readonly metricsPort: number }[],
): Promise<Haproxy> {
  return await openHaproxy('petstore', (line) => {
    const instance = instances[Number(/server petstore-808(\d)/.exec(line)?.[1]) - 1];
    return line
      .replace(/(server petstore-\S+) \S+/, `$1 127.0.0.1:${instance?.port}`)
      .replace(/ port \d+/, ` port ${instance?.metricsPort}`);
  });
}

async function openHaproxy(name: string, adapt: (line: string) => string): Promise<Haproxy> {
  if (program === undefined) throw new Error('no HAProxy here');
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-haproxy-'));
  const port = await findFreePort();
  const file = path.join(folder, 'haproxy.cfg');
  const lines = (await readDocumented(name)).split('\n').map(adapt);
  await writeFile(file, lines.join('\n').replace(/bind .*/, `bind 127.0.0.1:${port}`));
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

/** The configuration whose clients come in by a section of this name. */
async function readDocumented(name: string): Promise<string> {
  const file = path.resolve(import.meta.dirname, '../../docs/deployment.md');
  const snippets = (await readFile(file, 'utf8')).matchAll(/```haproxy\n(.*?)```/gs);
  const isWanted = new RegExp(`^(?:listen|frontend) ${name}$`, 'm');
  const found = [...snippets].map(([, snippet = '']) => snippet).find((one) => isWanted.test(one));
  if (found === undefined) throw new Error(`docs/deployment.md has no HAProxy in front of ${name}`);
  return found;
}

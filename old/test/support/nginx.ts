import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

const program = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'].find((file) =>
  existsSync(file),
);

/** Why tests behind nginx cannot run here; undefined when they can. @throws when CI is true */
export function findNginxObstacle(): string | undefined {
  if (program !== undefined) return undefined;
  const reason = 'no nginx: install one (Debian: nginx-light)';
  if (process.env.CI === 'true') throw new Error(reason);
  return reason;
}

export interface Nginx {
  readonly url: string;
  close(): Promise<void>;
}

/** nginx with the configuration of docs/deployment.md in front of instances at these ports, but for its TLS. */
export async function openNginx(instancePorts: readonly number[]): Promise<Nginx> {
  if (program === undefined) throw new Error('no nginx here');
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-nginx-'));
  const port = await findFreePort();
  const file = path.join(folder, 'nginx.conf');
  await writeFile(file, wrap(folder, adapt(await readDocumented(), port, instancePorts)));
  const child = spawn(program, ['-p', folder, '-c', file, '-e', path.join(folder, 'error.log')], {
    stdio: 'inherit',
  });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(() => fetch(url));
  return {
    url,
    async close() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

async function readDocumented(): Promise<string> {
  const page = await readFile(
    path.resolve(import.meta.dirname, '../../docs/deployment.md'),
    'utf8',
  );
  const snippet = /```nginx\n(.*?)```/s.exec(page)?.[1];
  if (snippet === undefined) throw new Error('docs/deployment.md has no nginx configuration');
  return snippet;
}

function adapt(snippet: string, port: number, instancePorts: readonly number[]): string {
  const [, rule = ''] = /server 127\.0\.0\.1:\d+( .*);/.exec(snippet) ?? [];
  const servers = instancePorts.map((instance) => `    server 127.0.0.1:${instance}${rule};\n`);
  return snippet
    .replace(/( *server 127\.0\.0\.1:\d+ .*;\n)+/, servers.join(''))
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace(/ *ssl_certificate.*\n/g, '');
}

/** What the distribution's own nginx.conf has around such a file. */
function wrap(folder: string, site: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user} daemon off; worker_processes 1; worker_rlimit_nofile 8192; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 4096; }
http { access_log off; ${paths.join(' ')}
${site}}
`;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startHttpServer } from '../support/http-server.ts';
import { findFreePort } from '../support/postgres-cluster.ts';
import { openTestService } from '../support/service.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

/** The configuration of the guide, on loopback and without TLS, in front of another service. */
function readConfiguration(folder: string, port: number, upstream: string): string {
  const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/operating.md'), 'utf8');
  const [, block = ''] = /```nginx\n(.*?)```/s.exec(guide) ?? [];
  const server = block
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_.*\n/gm, '')
    .replace('127.0.0.1:8080', upstream);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n');
  return `daemon off; pid ${folder}/pid; error_log stderr;
    events { worker_connections 1024; }
    http { access_log off; ${temporary}\n${server} }`;
}

/** Starts nginx in front of a base URL and returns its own. */
async function startNginx(baseUrl: string): Promise<string> {
  const folder = await createTemporaryFolder();
  const port = await findFreePort();
  const file = path.join(folder, 'nginx.conf');
  await writeFile(file, readConfiguration(folder, port, new URL(baseUrl).host));
  // Debian's folder for it is on root's PATH alone.
  const env = { PATH: `${process.env.PATH}:/usr/sbin` };
  const nginx = spawn('nginx', ['-p', folder, '-c', file], { env, stdio: 'ignore' });
  onTestFinished(async () => {
    nginx.kill('SIGTERM');
    await once(nginx, 'exit');
  });
  await waitFor(() => fetch(`http://127.0.0.1:${port}/healthz`));
  return `http://127.0.0.1:${port}/v1`;
}

it('passes requests on', async () => {
  const service = await openTestService({ pets: [{ name: 'Rex', categoryId: 7n }] });
  onTestFinished(service.close);
  const url = await startNginx(service.url);
  const headers = { Authorization: `Bearer ${service.key}` };
  const response = await fetch(`${url}/pets?limit=1`, { headers });
  expect(await response.json()).toEqual([expect.objectContaining({ name: 'Rex' })]);
});

it('refuses in the words of the contract a client with too many requests in flight', async () => {
  const upstream = await startHttpServer((request, response) => {
    if (request.url === '/healthz') response.end();
  });
  const url = await startNginx(upstream.url);
  const waiting = Array.from({ length: 64 }, () => fetch(`${url}/pets`).catch(() => {}));
  await waitFor(() => expect(upstream.requests).toHaveLength(1 + waiting.length));
  const refused = await fetch(`${url}/pets`);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await refused.json()).toMatchObject({ code: 'unavailable', status: 503 });
});

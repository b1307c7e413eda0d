import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../support/postgres-cluster.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { openTemporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

let service: TestService;
let nginx: ChildProcess;
let port: number;
const folder = await openTemporaryFolder();

/** The configuration of the guide, on loopback and without TLS. */
function readConfiguration(): string {
  const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/operating.md'), 'utf8');
  const [, block = ''] = /```nginx\n(.*?)```/s.exec(guide) ?? [];
  const server = block
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_.*\n/gm, '')
    .replace('127.0.0.1:8080', new URL(service.url).host);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder.path}/${name};`)
    .join('\n');
  return `daemon off; pid ${folder.path}/pid; error_log stderr;
    events { worker_connections 1024; }
    http { access_log off; ${temporary}\n${server} }`;
}

beforeAll(async () => {
  service = await openTestService({ pets: [{ name: 'Rex', categoryId: 7n }] });
  port = await findFreePort();
  const file = path.join(folder.path, 'nginx.conf');
  await writeFile(file, readConfiguration());
  nginx = spawn('nginx', ['-p', folder.path, '-c', file], { stdio: 'ignore' });
  await waitFor(() => get('/healthz'));
});

afterAll(async () => {
  nginx.kill('SIGTERM');
  await once(nginx, 'exit');
  await service.close();
  await folder.remove();
});

const get = (target: string) =>
  fetch(`http://127.0.0.1:${port}${target}`, {
    headers: { Authorization: `Bearer ${service.key}` },
  });

it('passes requests on, and links that stay relative', async () => {
  const response = await get('/v1/pets?limit=1');
  expect(await response.json()).toEqual([expect.objectContaining({ name: 'Rex' })]);
});

it('refuses in the words of the contract a client that opens too many connections', async () => {
  // More than the 64 that are allowed: some may not have arrived yet.
  const idle = Array.from({ length: 80 }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of idle) socket.destroy();
  });
  // nginx counts a connection once it has the head of a request.
  for (const socket of idle)
    socket.write('POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n');
  const response = await waitFor(async () => {
    const refused = await get('/v1/pets');
    expect(refused.status).toBe(503);
    return refused;
  });
  expect(await response.json()).toMatchObject({ code: 'unavailable', status: 503 });
  expect(response.headers.get('retry-after')).toBe('1');
});

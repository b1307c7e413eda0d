import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { portOf, respondJson, startHttpServer } from '../support/http-server.ts';
import { rex, run } from '../support/run-at-url.ts';

const certificates = path.resolve(import.meta.dirname, '../support/certificates');
const authority = (name: string) => path.join(certificates, `${name}.crt.pem`);

/** A service behind TLS, with the certificate of localhost (first) or of pets.test (proxied). */
async function startTlsService(name: 'first' | 'proxied'): Promise<number> {
  const read = (kind: string) => readFileSync(path.join(certificates, `${name}.${kind}.pem`));
  const server = createHttpsServer({ key: read('key'), cert: read('crt') }, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(`[${rex}]`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return portOf(server);
}

/** A proxy that knows one host, whatever it is called, and remembers what it was asked. */
async function startProxy(port: number, status = 200) {
  const asked: string[] = [];
  const server = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end();
  });
  server.on('connect', (request, socket) => {
    const { 'proxy-authorization': user = 'nobody', authorization } = request.headers;
    socket.on('error', () => {});
    asked.push(`CONNECT ${request.url} by ${user}${authorization ? ' with a key' : ''}`);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, host: `127.0.0.1:${portOf(server)}` };
}

describe('a secure connection', () => {
  it('to an unknown authority is refused, nothing sent; NODE_EXTRA_CA_CERTS makes it known', async () => {
    const url = `https://localhost:${await startTlsService('first')}/v1`;
    const refused = await run('list --ndjson --retries 0', url);
    expect(refused).toMatchObject({ stdout: '', exitCode: 8 });
    expect(refused.stderr).toMatch(/certificate/i);
    const env = { NODE_EXTRA_CA_CERTS: authority('first') };
    expect(await run('list --ndjson', url, env)).toMatchObject({ stdout: `${rex}\n`, exitCode: 0 });
  });
});

describe('a proxy', () => {
  const url = 'https://pets.test/v1';
  const trusted = { NODE_EXTRA_CA_CERTS: authority('proxied') };

  it('carries what is meant for another host, and never sees the key', async () => {
    const { asked, host } = await startProxy(await startTlsService('proxied'));
    const env = { ...trusted, HTTPS_PROXY: `http://ann:secret@${host}` };
    expect(await run('list --ndjson', url, env)).toMatchObject({ stdout: `${rex}\n`, exitCode: 0 });
    const user = `Basic ${Buffer.from('ann:secret').toString('base64')}`;
    expect(asked).toEqual([`CONNECT pets.test:443 by ${user}`]);
  });

  it('that refuses is a service that is not reached', async () => {
    const { host } = await startProxy(await startTlsService('proxied'), 403);
    const env = { ...trusted, HTTPS_PROXY: `http://${host}` };
    const { stdout, stderr, exitCode } = await run('list --retries 0', url, env);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 8 });
    expect(stderr).toContain(`staging cannot be reached through the proxy http://${host}: `);
  });

  it('that is not there is named as the proxy', async () => {
    const env = { ...trusted, HTTPS_PROXY: 'http://ann:secret@127.0.0.1:9' };
    const { stdout, stderr, exitCode } = await run('list --retries 0', url, env);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 8 });
    expect(stderr).toContain('staging cannot be reached through the proxy http://127.0.0.1:9: ');
    expect(stderr).not.toContain('secret');
  });

  it('is the same for the connection, doctor and env show --explain', async () => {
    const { asked, host } = await startProxy(await startTlsService('proxied'));
    const proxy = `http://${host}`;
    const cases: [Record<string, string>, boolean][] = [
      [{ HTTPS_PROXY: proxy }, true],
      [{ https_proxy: host, HTTPS_PROXY: 'http://127.0.0.1:9' }, true],
      [{ HTTPS_PROXY: proxy, NO_PROXY: 'other.test' }, true],
      [{ HTTPS_PROXY: proxy, NO_PROXY: '.test' }, false],
      [{ HTTPS_PROXY: proxy, no_proxy: 'pets.test:443', NO_PROXY: 'x' }, false],
      [{ HTTP_PROXY: proxy }, false],
    ];
    for (const [variables, used] of cases) {
      asked.length = 0;
      const env = { ...trusted, ...variables };
      await run('list --retries 0', url, env);
      const doctor = await run('doctor --json', url, env);
      const explained = await run('env show --explain --json', url, env);
      expect(asked).toHaveLength(used ? 2 : 0);
      const { message } = findRecord(doctor.stdout, 'check');
      expect(String(message).startsWith(used ? `${proxy} (` : 'none in use')).toBe(true);
      expect(findRecord(explained.stdout, 'setting').value).toBe(used ? proxy : null);
    }
  });

  it.each([{ https_proxy: 'on' }, { HTTPS_PROXY: 'on' }])('is found in %j', async (variable) => {
    const { asked, host } = await startProxy(await startTlsService('proxied'));
    const [name = ''] = Object.keys(variable);
    await run('list', url, { ...trusted, [name]: `http://${host}` });
    expect(asked).toHaveLength(1);
  });

  it.each(['pets.test', '.test', '*'])('is passed by for NO_PROXY=%s', async (noProxy) => {
    const { asked, host } = await startProxy(await startTlsService('proxied'));
    const env = { ...trusted, HTTPS_PROXY: `http://${host}`, NO_PROXY: noProxy };
    // Without the proxy nobody knows the name.
    expect((await run('list --retries 0', url, env)).exitCode).toBe(8);
    expect(asked).toEqual([]);
  });

  it('is never used for this machine', async () => {
    const { asked, host } = await startProxy(1);
    const service = await startHttpServer(respondJson(200, `[${rex}]`));
    const proxies = { HTTP_PROXY: `http://${host}`, HTTPS_PROXY: `http://${host}` };
    const lower = { http_proxy: `http://${host}`, https_proxy: `http://${host}` };
    const env = { ...proxies, ...lower };
    expect((await run('list --ndjson', service.url, env)).stdout).toBe(`${rex}\n`);
    expect(asked).toEqual([]);
  });
});

/** The record about the proxy in a JSON array. */
function findRecord(json: string, member: string): Record<string, unknown> {
  const records: Record<string, unknown>[] = JSON.parse(json);
  return records.find((record) => record[member] === 'proxy') ?? {};
}

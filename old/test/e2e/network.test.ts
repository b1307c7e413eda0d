import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runBuilt } from '../support/built-program.ts';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { createHome, runPetstore } from '../support/run-program.ts';
import { stagingAt } from '../support/staging.ts';

const certificates = path.resolve(import.meta.dirname, '../support/certificates');
const read = (file: string) => readFileSync(path.join(certificates, file), 'utf8');

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const isOpen = (one: AddressInfo | string | null): one is AddressInfo =>
    typeof one === 'object' && one !== null;
  if (!isOpen(address)) throw new Error('the server has no port');
  return address.port;
}

/** A pet store behind TLS, with the certificate of this name. */
async function startTls(name: 'first' | 'proxied') {
  const server = createHttpsServer(
    { cert: read(`${name}.crt.pem`), key: read(`${name}.key.pem`) },
    (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
  );
  onTestFinished(() => server.closeAllConnections());
  return await listen(server);
}

/** A proxy that notes what it is asked for, and leads every tunnel to one port. */
async function startProxy(target?: number) {
  const asked: string[] = [];
  const server = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on('connect', (request, socket, head) => {
    asked.push(`CONNECT ${request.url} ${request.headers.authorization ?? 'without a key'}`);
    if (target === undefined)
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const onward = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) end.on('error', () => {});
    onTestFinished(() => void onward.destroy());
  });
  onTestFinished(() => server.closeAllConnections());
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
}

describe('TLS', () => {
  it('a certificate that nobody vouches for: 8, nothing sent', async () => {
    const env = stagingAt(`https://localhost:${await startTls('first')}/v1`);
    const run = await runPetstore(['list', '--retries', '0'], { env });
    expect(run).toMatchObject({ stdout: '', exitCode: 8 });
    expect(run.stderr).toContain('the secure connection failed: self-signed certificate');
  });

  it('NODE_EXTRA_CA_CERTS is honoured', async () => {
    const env = {
      ...stagingAt(`https://localhost:${await startTls('first')}/v1`),
      HOME: await createHome(),
      NODE_EXTRA_CA_CERTS: path.join(certificates, 'first.crt.pem'),
    };
    expect(await runBuilt('list --json', { env })).toMatchObject({ stdout: '[]\n', exitCode: 0 });
  });

  it('a certificate for another name: 8', async () => {
    const env = {
      ...stagingAt(`https://localhost:${await startTls('proxied')}/v1`),
      HOME: await createHome(),
      NODE_EXTRA_CA_CERTS: path.join(certificates, 'proxied.crt.pem'),
    };
    const run = await runBuilt('list --retries 0', { env });
    expect(run).toMatchObject({ stdout: '', exitCode: 8 });
    expect(run.stderr).toContain("Hostname/IP does not match certificate's altnames");
  });
});

describe('a proxy', () => {
  it('is given a tunnel to ask for, never the key', async () => {
    const proxy = await startProxy(await startTls('proxied'));
    const env = {
      ...stagingAt('https://pets.test/v1'),
      HOME: await createHome(),
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: path.join(certificates, 'proxied.crt.pem'),
    };
    expect(await runBuilt('list --json', { env })).toMatchObject({ stdout: '[]\n', exitCode: 0 });
    expect(proxy.asked).toEqual(['CONNECT pets.test:443 without a key']);
  });

  it('that refuses: 8, said', async () => {
    const proxy = await startProxy();
    const env = { ...stagingAt('https://pets.test/v1'), https_proxy: proxy.url };
    const run = await runPetstore(['list', '--retries', '0'], { env });
    expect(run).toMatchObject({ stdout: '', exitCode: 8 });
    expect(run.stderr).toContain(
      `through the proxy ${proxy.url}: it responded 407: it wants a user name and password`,
    );
  });

  it('is left out for this machine, where a key is sent in plain', async () => {
    const proxy = await startProxy();
    const server = await startHttpServer(respondJson(200, '[]'));
    const env = { ...stagingAt(server.url), HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    expect(await runPetstore(['list', '--json'], { env })).toMatchObject({
      stdout: '[]\n',
      exitCode: 0,
    });
    expect(proxy.asked).toEqual([]);
  });

  it('is left out for the hosts in NO_PROXY', async () => {
    const proxy = await startProxy();
    const env = {
      ...stagingAt('https://pets.invalid/v1'),
      HTTPS_PROXY: proxy.url,
      NO_PROXY: '.invalid',
    };
    expect(await runPetstore(['list', '--retries', '0'], { env })).toMatchObject({ exitCode: 8 });
    expect(proxy.asked).toEqual([]);
  });

  it('in https_proxy wins over one in HTTPS_PROXY', async () => {
    const [upper, lower] = [await startProxy(), await startProxy()];
    const env = {
      ...stagingAt('https://pets.invalid/v1'),
      HTTPS_PROXY: upper.url,
      https_proxy: lower.url,
    };
    expect(await runPetstore(['list', '--retries', '0'], { env })).toMatchObject({ exitCode: 8 });
    expect(upper.asked).toEqual([]);
    expect(lower.asked).toEqual(['CONNECT pets.invalid:443 without a key']);
  });

  it.each([
    { NO_PROXY: '.example', no_proxy: '.invalid', asked: 0 },
    { NO_PROXY: '.invalid', no_proxy: '.example', asked: 1 },
  ])(
    'is asked $asked times with NO_PROXY $NO_PROXY and no_proxy $no_proxy: the lower-case form wins',
    async ({ asked, ...noProxies }) => {
      const proxy = await startProxy();
      const url = 'https://pets.invalid/v1';
      const env = { ...stagingAt(url), HTTPS_PROXY: proxy.url, ...noProxies };
      expect(await runPetstore(['list', '--retries', '0'], { env })).toMatchObject({ exitCode: 8 });
      expect(proxy.asked).toHaveLength(asked);
    },
  );

  it('that is no URL is a mistake of the configuration: 2, its password not repeated', async () => {
    const env = { ...stagingAt('https://pets.test/v1'), HTTPS_PROXY: 'http://ann:secret@:99999' };
    const run = await runPetstore(['list'], { env });
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    expect(run.stderr).toContain('The proxy in HTTPS_PROXY is not a URL');
    expect(run.stderr).not.toContain('secret');
  });
});

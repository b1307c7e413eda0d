import { expect, it, onTestFinished } from 'vitest';
import { createPetstoreClient } from '../../src/client/petstore-client.ts';
import { findProxy } from '../../src/config/proxy.ts';
import { startRawServer } from '../support/raw-server.ts';

const baseUrl = new URL('https://pets.test/v1');

function open(proxyUrl: string, retries = 0, timeoutMs = 5_000) {
  const proxy = findProxy({ HTTPS_PROXY: proxyUrl }, baseUrl);
  const client = createPetstoreClient({
    baseUrl,
    proxy,
    retries,
    apiKey: 'a-key',
    timeoutMs,
  });
  onTestFinished(client.close);
  return client;
}

it('a proxy that closes on CONNECT is named, and met once per attempt', async () => {
  const proxy = await startRawServer((socket) => socket.end());
  const client = open(`http://127.0.0.1:${proxy.port}`, 2);
  await expect(client.createPet({ name: 'Rex', categoryId: 7n }, 'one-key')).rejects.toMatchObject({
    message: `The proxy 127.0.0.1:${proxy.port} cannot be used: it closed the connection.`,
    exitCode: 8,
    outcome: 'not_sent',
  });
  expect(proxy.connections()).toBe(3);
});

it('a proxy that never responds is given up when the time is over, and named', async () => {
  const proxy = await startRawServer(() => {});
  const added = open(`http://127.0.0.1:${proxy.port}`, 1, 1_000).createPet(
    { name: 'Rex', categoryId: 7n },
    'one-key',
  );
  await expect(added).rejects.toMatchObject({
    message: 'pets.test did not accept a connection within 1 s.',
    details: [`HTTPS_PROXY names the proxy 127.0.0.1:${proxy.port}`],
    outcome: 'not_sent',
  });
  expect(proxy.connections()).toBe(2);
});

it('a proxy where nothing listens is named', async () => {
  await expect(open('http://127.0.0.1:1').eachPage({}).next()).rejects.toMatchObject({
    message: 'The proxy 127.0.0.1:1 cannot be used: nothing listens there.',
    details: ['it is from HTTPS_PROXY', 'ECONNREFUSED'],
  });
});

it.each([
  ['', 407, /wants a user name and password/],
  ['till:secret@', 407, /did not accept the user name and password/],
  ['', 403, /does not allow this address/],
  ['', 502, /cannot reach the address/],
])('a proxy at %j that responds %i: %s', async (user, status, words) => {
  const proxy = await startRawServer((socket) => socket.end(`HTTP/1.1 ${status} Text\r\n\r\n`));
  const error = await open(`http://${user}127.0.0.1:${proxy.port}`)
    .eachPage({})
    .next()
    .catch((error) => error);
  expect(error.message).toMatch(words);
  expect(JSON.stringify(error)).not.toContain('secret');
});

it('a lone percent sign in a password is taken as it is', async () => {
  const proxy = await startRawServer((socket) => socket.end('HTTP/1.1 407 Text\r\n\r\n'));
  await open(`http://till:50%off@127.0.0.1:${proxy.port}`)
    .eachPage({})
    .next()
    .catch(() => {});
  const [, credentials = ''] =
    /proxy-authorization: Basic (\S+)/i.exec(proxy.received[0] ?? '') ?? [];
  expect(Buffer.from(credentials, 'base64').toString()).toBe('till:50%off');
});

it.each([
  "'http://till:Sesame9@proxy.test:3128'",
  'http:/till:Sesame9@proxy.test:3128',
  'http://till:9/Sesame9@proxy.test:3128',
  'http://till:Sesame9%FF@proxy.test:3128',
  'socks5://till:Sesame9@proxy.test:1080',
])('%s is refused in words that repeat nothing of it', (text) => {
  const find = () => findProxy({ HTTPS_PROXY: text }, baseUrl);
  expect(find).toThrow("The proxy in HTTPS_PROXY is not an HTTP proxy's URL.");
  expect(find).not.toThrow('Sesame9');
});

it('what answers with plain HTTP behind a proxy is said to', async () => {
  const proxy = await startRawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  await expect(open(`http://127.0.0.1:${proxy.port}`).eachPage({}).next()).rejects.toMatchObject({
    message: 'pets.test speaks plain HTTP, not https.',
    outcome: 'not_sent',
  });
});

it('a tunnel that breaks before the secure connection stands is no failure of the proxy', async () => {
  const proxy = await startRawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.once('data', () => socket.destroy());
  });
  await expect(open(`http://127.0.0.1:${proxy.port}`).eachPage({}).next()).rejects.toMatchObject({
    message: 'The connection to pets.test was lost.',
    outcome: 'not_sent',
    exitCode: 8,
  });
});

it.each(['https://localhost/v1', 'https://127.0.0.1:8443/v1', 'https://[::1]/v1'])(
  'no proxy is asked for %s, on this computer',
  (url) => {
    expect(findProxy({ HTTPS_PROXY: 'proxy.test:3128' }, new URL(url))).toBeUndefined();
  },
);

it('the hosts of NO_PROXY are reached without it', async () => {
  const proxy = await startRawServer((socket) => socket.end());
  const variables = { https_proxy: `127.0.0.1:${proxy.port}`, NO_PROXY: '.invalid' };
  const there = new URL('https://pets.invalid/v1');
  const client = createPetstoreClient({
    baseUrl: there,
    proxy: findProxy(variables, there),
    retries: 0,
  });
  onTestFinished(client.close);
  await expect(client.eachPage({}).next()).rejects.toMatchObject({
    message: expect.stringContaining('pets.invalid cannot be reached'),
  });
  expect(proxy.connections()).toBe(0);
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { issueKey } from '../../../src/service/keys/issue-key.ts';
import { sendRaw } from '../../support/http.ts';
import { startService, type TestService } from '../../support/service.ts';
import { within } from '../../support/within.ts';

const pet = '{"name":"Rex","categoryId":7}';
const json = 'Content-Type: application/json\r\n';

function addOf({ key }: TestService): string {
  return `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${json}Content-Length: ${pet.length}\r\n\r\n${pet}`;
}

/** A service whose adds wait until they are released. */
async function startHeld() {
  const service = await startService();
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= service.close();
    return closed;
  };
  onTestFinished(close);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { addPets } = service.store;
  const started = new Promise<void>((resolve) => {
    service.store.addPets = async (additions, now) => {
      resolve();
      await held;
      return await addPets(additions, now);
    };
  });
  onTestFinished(release);
  return { service: { ...service, close }, started, release };
}

/** Opens a connection; `text` is everything that came back so far. */
async function open({ url }: TestService) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const chunks: string[] = [];
  socket.setEncoding('latin1').on('data', (chunk: string) => chunks.push(chunk));
  await once(socket, 'connect');
  const end = once(socket, 'close');
  const closed = () => within(end, 'the service closes the connection');
  return { socket, closed, text: () => chunks.join('') };
}

const statusesIn = (text: string) => text.match(/(?<=HTTP\/1\.1 )\d{3}/g);

describe('pipelined requests', () => {
  it('all get their response while the service stops, the last one with Connection: close', async () => {
    const { service, started, release } = await startHeld();
    const { socket, closed, text } = await open(service);
    socket.write(addOf(service).repeat(3));
    await started;
    const stopped = service.close();
    release();
    await closed();
    await stopped;
    expect(statusesIn(text())).toEqual(['201', '201', '201']);
    expect(text().split('Connection: close')).toHaveLength(2);
    expect(text().split('HTTP/1.1').at(-1)).toContain('Connection: close');
  });

  it.each([
    ['a request that is responded to at once', 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a request that is not authorized', 'GET /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('get their responses before a 400, also when the last is %s', async (_, last) => {
    const { service, started, release } = await startHeld();
    const { socket, closed, text } = await open(service);
    socket.write(addOf(service) + last);
    await started;
    // Arrives alone, when the last request has its response and the first has none.
    socket.write('hello\r\n\r\n');
    const other = await open(service);
    other.socket.write('hello\r\n\r\n');
    await other.closed();
    release();
    await closed();
    expect(statusesIn(text())?.[0]).toBe('201');
    expect(statusesIn(text())).toHaveLength(3);
    expect(statusesIn(text())?.at(-1)).toBe('400');
  });

  it('get their responses after a 413 whose body had arrived while its key was looked up', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const { key } = await issueKey(service.store, { name: 'other', createdAt: new Date() });
    const { findKey } = service.store;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let lookUps = 0;
    service.store.findKey = async (hash) => {
      lookUps += 1;
      await released;
      return await findKey(hash);
    };
    const { socket, text } = await open(service);
    const large = addOf(service).replace(pet, pet.padEnd(64 * 1024 + 1));
    // So little that Node goes on reading, then the rest with the next request.
    socket.write(
      large.slice(0, 10_000).replace(`Length: ${pet.length}`, `Length: ${64 * 1024 + 1}`),
    );
    await expect.poll(() => lookUps).toBe(1);
    socket.write(large.slice(10_000) + addOf({ ...service, key }));
    await expect.poll(() => lookUps).toBe(2);
    release();
    await expect.poll(() => statusesIn(text())).toEqual(['413', '201']);
  });

  it('get their responses before the 400 of a body that is malformed, and arrived long before its turn', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const { socket, closed, text } = await open(service);
    const health = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
    const malformed = addOf(service).replace(/Content-Length.*/s, 'Transfer-Encoding: chunked');
    socket.write(`${health.repeat(30)}${malformed}\r\n\r\nzz\r\n`);
    await closed();
    expect(statusesIn(text())?.slice(29)).toEqual(['200', '400']);
  });

  it('get their responses before the 400 of a request for a proxy', async () => {
    const { service, started, release } = await startHeld();
    const { socket, closed, text } = await open(service);
    const health = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
    socket.write(`${addOf(service)}${health}CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n`);
    await started;
    release();
    await closed();
    expect(statusesIn(text())).toEqual(['201', '200', '400']);
  });
});

describe('a request that was refused before its body arrived', () => {
  it('gets one response, also when the body is malformed', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${json}Transfer-Encoding: chunked\r\n\r\n`;
    expect(statusesIn(await sendRaw(service.url, `${head}zz\r\n`))).toEqual(['401']);
  });

  it('gets one response, also when the body never arrives', async () => {
    const limits = { headersTimeout: 100, requestTimeout: 200 };
    const service = await startService({ overrides: { limits } });
    onTestFinished(service.close);
    const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${json}Content-Length: 9\r\n\r\n{`;
    expect(statusesIn(await sendRaw(service.url, head))).toEqual(['401']);
  });
});

describe('a request for a proxy', () => {
  it('does no harm when its client resets the connection', async () => {
    const service = await startService();
    onTestFinished(service.close);
    for (const moment of ['written', 'data']) {
      const { socket, closed } = await open(service);
      socket.on('error', () => {}).once(moment, () => socket.resetAndDestroy());
      socket.write('CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', () => socket.emit('written'));
      await closed();
    }
    const health = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    expect(statusesIn(await sendRaw(service.url, health))).toEqual(['200']);
  });

  it('does not hold up stopping when its client leaves the connection open', async () => {
    const service = await startService();
    const socket = connect({
      port: Number(new URL(service.url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    onTestFinished(() => void socket.destroy());
    socket.write('CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n');
    const ended = once(socket.resume(), 'end');
    await within(ended, 'the service ends its side after a request for a proxy');
    const start = performance.now();
    await service.close();
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

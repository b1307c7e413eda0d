import { once } from 'node:events';
import { Socket } from 'node:net';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { defaultLimits } from '../../../../src/service/http/admission/limits.ts';
import { createLingeringClose } from '../../../../src/service/http/admission/lingering-close.ts';
import { healthRequest, openConnection, readMetric } from '../../../support/open-connection.ts';
import { startService } from '../../../support/service.ts';

const service = await startService();
afterAll(service.close);

const authorization = `Authorization: Bearer ${service.key}\r\n`;
const MIB = 1024 * 1024;

function addHead(fields: string): string {
  return `POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${fields}\r\n`;
}

async function startWith(limits: object) {
  const own = await startService({ overrides: { limits } });
  onTestFinished(own.close);
  return own;
}

describe('a client that sends before it reads', () => {
  it.each([
    ['413', authorization],
    ['401', ''],
  ])('reads its %s after a body of 8 MiB', async (status, fields) => {
    const { socket, text, closed } = await openConnection(service);
    socket.pause();
    socket.write(addHead(`${fields}Content-Length: ${8 * MIB}\r\n`));
    await new Promise((resolve) => socket.write(Buffer.alloc(8 * MIB, ' '), resolve));
    socket.resume();
    await closed();
    expect(text()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\nConnection: close\r\n`, 's'));
  });

  it('reads its 400 although more follows that is not HTTP', async () => {
    const { socket, text, closed } = await openConnection(service);
    socket.pause();
    socket.write('GET\r\n\r\n');
    for (let sent = 0; sent < 3; sent += 1)
      await new Promise((resolve) => socket.write('x'.repeat(100_000), resolve));
    socket.resume();
    await closed();
    expect(text()).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('a connection that is closed', () => {
  it('takes only so much of what still arrives', async () => {
    const own = await startWith({ lingerTime: 60_000, lingerBytes: MIB });
    const { socket, text, gone } = await openConnection(own);
    socket.write(addHead('Transfer-Encoding: chunked\r\n'));
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const send = () => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', send);
    send();
    await gone();
    expect(text()).toMatch(/^HTTP\/1\.1 401 /);
  });

  it.each([
    ['malformed HTTP', 'GET\r\n\r\n', '400'],
    ['a request for a proxy', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', '400'],
    ['a body that never comes', addHead('Content-Length: 1000000\r\n'), '401'],
    ['the last request', 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '200'],
  ])('is destroyed after %s, also when its client keeps its side open', async (_, sent, status) => {
    const own = await startWith({ lingerTime: 100 });
    const { socket, statuses, closed, gone } = await openConnection(own);
    socket.write(sent);
    await closed();
    expect(statuses()).toEqual([status]);
    // What is sent to a connection that was destroyed resets it.
    const probe = setInterval(() => socket.write('x'), 20);
    onTestFinished(() => clearInterval(probe));
    await gone();
  });

  it('is destroyed in its time, also when another one is gone before', async () => {
    const own = await startWith({ lingerTime: 200 });
    const [first, second] = [await openConnection(own), await openConnection(own)];
    for (const { socket, closed } of [first, second]) {
      socket.write('GET\r\n\r\n');
      await closed();
    }
    first.socket.destroy();
    const probe = setInterval(() => second.socket.write('x'), 20);
    onTestFinished(() => clearInterval(probe));
    await second.gone();
  });

  it('is not reset when more that is not HTTP follows what was refused', async () => {
    const own = await startService({
      overrides: { metricsPort: 0, limits: { lingerTime: 60_000 } },
    });
    onTestFinished(own.close);
    const { socket, closed, gone } = await openConnection(own);
    socket.write('GET\r\n\r\n');
    await closed();
    // What was sent before the figures are asked for has been read when they come.
    for (let sent = 0; sent < 3; sent += 1) {
      socket.write('GET\r\n\r\n');
      expect(await readMetric(own, 'petstore_connections')).toBe(1);
    }
    socket.destroy();
    await gone();
  });

  it('runs no request that still arrives', async () => {
    const { socket, statuses, closed } = await openConnection(service);
    socket.write(`GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n${healthRequest}`);
    await closed();
    expect(statuses()).toEqual(['200']);
  });
});

describe('a response before the body was read', () => {
  it.each([10, 65_536])('keeps the connection when the rest is small: %i bytes', async (bytes) => {
    const { socket, statuses, text } = await openConnection(service);
    socket.write(addHead(`Content-Length: ${bytes}\r\n`));
    await expect.poll(statuses).toEqual(['401']);
    socket.write(`${'{"name":1}'.padEnd(bytes)}${healthRequest}`);
    await expect.poll(statuses).toEqual(['401', '200']);
    expect(text()).not.toContain('Connection: close');
  });

  it.each([
    ['large', 'Content-Length: 65537\r\n'],
    ['of unknown length', 'Transfer-Encoding: chunked\r\n'],
    ['perhaps not sent at all', 'Content-Length: 10\r\nExpect: 100-continue\r\n'],
  ])('closes the connection when the rest is %s', async (_, fields) => {
    const { socket, closed, text } = await openConnection(service);
    socket.write(addHead(fields));
    await closed();
    expect(text()).toMatch(/^HTTP\/1\.1 401 .*\r\nConnection: close\r\n/s);
  });
});

describe('Expect', () => {
  it('may ask for what nobody knows', async () => {
    const own = await startWith({});
    const { socket, statuses } = await openConnection(own);
    socket.write(healthRequest.replace(/\r\n$/, 'Expect: miracles\r\n\r\n'));
    await expect.poll(statuses).toEqual(['200']);
  });
});

describe('Expect: 100-continue', () => {
  const pet = '{"name":"Rex","categoryId":7}';
  const expecting = `Expect: 100-continue\r\nContent-Length: ${pet.length}\r\n`;

  it('is met when the body will be read', async () => {
    const own = await startWith({});
    const { socket, statuses } = await openConnection(own);
    const ownKey = `Authorization: Bearer ${own.key}\r\n`;
    socket.write(addHead(ownKey + expecting));
    await expect.poll(statuses).toEqual(['100']);
    socket.write(pet);
    await expect.poll(statuses).toEqual(['100', '201']);
  });

  it.each([
    ['without a key', expecting, '401'],
    [
      'of a body that is too large',
      `${authorization}Expect: 100-continue\r\nContent-Length: 65537\r\n`,
      '413',
    ],
  ])('is not met %s', async (_, fields, status) => {
    const own = await startWith({});
    const { socket, statuses, closed } = await openConnection(own);
    socket.write(addHead(fields.replace(service.key, own.key)));
    await closed();
    expect(statuses()).toEqual([status]);
  });
});

it('connections that are closing are looked at until the last of them is gone, and no longer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { close } = createLingeringClose(defaultLimits);
  const sockets = [new Socket(), new Socket()];
  const counts: number[] = [];
  sockets.forEach(close);
  for (const socket of sockets) {
    counts.push(vi.getTimerCount());
    const gone = once(socket, 'close');
    socket.destroy();
    await gone;
  }
  expect([...counts, vi.getTimerCount()]).toEqual([1, 1, 0]);
});

it('a connection that is gone already is not looked at', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  createLingeringClose(defaultLimits).close(new Socket().destroy());
  expect(vi.getTimerCount()).toBe(0);
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { serviceLimits } from '../../src/service/limits.ts';
import { type RunningService, type StartOptions, startService } from '../../src/service/start.ts';
import { parseDatabaseUrl } from '../../src/service/storage/database-url.ts';
import { openStore } from '../../src/service/storage/open-store.ts';
import { writeCertificate } from '../support/certificate.ts';
import { portOf } from '../support/http-server.ts';
import { openRawConnection, parseRaw } from '../support/raw-http.ts';
import { openTestService } from '../support/service.ts';
import { testSettings } from '../support/settings.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

/** Closed at the end of the test. */
async function start(settings?: Partial<StartOptions['settings']>): Promise<RunningService> {
  const service = await open(settings);
  onTestFinished(service.close);
  return service;
}

async function open(
  settings: Partial<StartOptions['settings']> = {},
  log = pino({ level: 'silent' }),
): Promise<RunningService> {
  const file = path.join(await createTemporaryFolder(), 'petstore.db');
  const store = await openStore(parseDatabaseUrl(file), { isExclusive: true });
  return await startService({
    settings: testSettings(settings),
    store,
    log,
    clock: () => new Date(),
    limits: { ...serviceLimits, drainMs: 200, finishMs: 500 },
  }).catch(async (error) => {
    await store.close();
    throw error;
  });
}

const healthOf = ({ url }: RunningService) => new URL('/healthz', url);

it('listens where it says', async () => {
  const service = await start();
  expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/v1$/);
  expect(service.metricsUrl).toBeUndefined();
  expect((await fetch(healthOf(service))).status).toBe(200);
});

it('measures responses by route, for Prometheus, on a port of its own and on loopback', async () => {
  // On loopback wherever the service itself is.
  const service = await start({ host: 'localhost', metricsPort: 0 });
  const startedAt = performance.now();
  await fetch(`${service.url}/pets/1`);
  await fetch(healthOf(service));
  const { metricsUrl = '' } = service;
  expect(new URL(metricsUrl).hostname).toBe('127.0.0.1');
  const text = await (await fetch(metricsUrl)).text();
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const labels of [
    'method="GET",route="/v1/pets/:petId",status="401"',
    'method="GET",route="/healthz",status="200"',
  ])
    expect(text).toContain(`http_request_duration_seconds_count{${labels}} 1`);
  const sums = [...text.matchAll(/^http_request_duration_seconds_sum\S* (.+)$/gm)];
  expect(sums.reduce((sum, [, one]) => sum + Number(one), 0)).toBeLessThan(seconds);
  expect(text).toContain('process_resident_memory_bytes');
  expect((await fetch(new URL('/metrics', service.url))).status).toBe(404);
  expect((await fetch(new URL('/other', metricsUrl))).status).toBe(404);
});

/** A port on which another program listens. */
async function takePort(): Promise<number> {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await waitFor(() => expect(other.listening).toBe(true));
  return portOf(other);
}

it('refuses metrics, too, once it has stopped', async () => {
  const { metricsUrl = '', close } = await open({ metricsPort: 0 });
  await close();
  await expectRefused(Number(new URL(metricsUrl).port));
});

it.each(['port', 'metricsPort'] as const)('says that its %s is taken', async (setting) => {
  const port = await takePort();
  await expect(start({ [setting]: port })).rejects.toMatchObject({
    code: 'cli_listen',
    message: `Port ${port} is in use by another program.`,
  });
});

it('lets go of its port when that for metrics is taken', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  await expect(open({ metricsPort: await takePort() }, log)).rejects.toThrow('is in use');
  const [, port] = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(lines.join('')) ?? [];
  await expectRefused(Number(port));
});

it.each([
  ['192.0.2.1', '192.0.2.1 is not an address of this computer.'],
  ['nowhere.invalid', 'There is no host nowhere.invalid to listen on.'],
])('says in words that it cannot listen on %s, and blames no port', async (host, message) => {
  await expect(start({ host })).rejects.toMatchObject({ code: 'cli_listen', message });
});

it('ends though a client never finishes its TLS handshake', async () => {
  const folder = await createTemporaryFolder();
  const { cert, key } = writeCertificate(folder, 'service');
  const service = await open({ tlsCert: cert, tlsKey: key });
  const { socket, received } = openRawConnection(service.url);
  await waitFor(() => expect(socket.readyState).toBe('open'));
  const startedAt = performance.now();
  await service.close();
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(await received).toBe('');
});

it('responds to what arrives while it stops, then refuses connections and ends', async () => {
  const service = await open();
  const closing = service.close();
  // A client that has not heard of it yet.
  const { send, received } = openRawConnection(service.url);
  send('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const { statusCode, headers } = parseRaw(await received);
  expect([statusCode, headers.connection]).toEqual([200, 'close']);
  await closing;
  await expectRefused(Number(new URL(service.url).port));
});

async function expectRefused(port: number): Promise<void> {
  const connected = once(connect(port, '127.0.0.1'), 'connect');
  await expect(connected).rejects.toMatchObject({ code: 'ECONNREFUSED' });
}

it('has written the last use of a key before it closes the store', async () => {
  const database = path.join(await createTemporaryFolder(), 'petstore.db');
  const service = await openTestService({ database });
  const headers = { authorization: `Bearer ${service.key}` };
  expect((await fetch(`${service.url}/pets`, { headers })).status).toBe(200);
  await service.close();
  const store = await openStore(parseDatabaseUrl(database), { isExclusive: false });
  onTestFinished(() => store.close());
  expect(await store.listKeys()).toMatchObject([{ lastUsedAt: expect.any(Date) }]);
});

it('ends though a client never finishes its request', async () => {
  const service = await open();
  const { send, received } = openRawConnection(service.url);
  // Its body is waited for only where its key is valid: here the head is not finished either.
  send('POST /v1/pets HTTP/1.1\r\nHost: localh');
  await fetch(healthOf(service));
  await service.close();
  expect(await received).toBe('');
});

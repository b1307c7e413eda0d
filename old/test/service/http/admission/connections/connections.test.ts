import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServiceOptions } from '../../../../../src/service/open-service.ts';
import {
  healthRequest,
  listRequest,
  openConnection,
  readMetric,
} from '../../../../support/open-connection.ts';
import { startService } from '../../../../support/service.ts';
import { within } from '../../../../support/within.ts';

async function start(overrides: Partial<ServiceOptions>) {
  const service = await startService({ overrides: { metricsPort: 0, ...overrides } });
  onTestFinished(service.close);
  const countClosed = (limit: string) =>
    readMetric(service, `petstore_closed_connections_total{limit="${limit}"}`);
  return { ...service, countClosed };
}

/** Opens a connection and has a response on it. */
async function openServed(service: { url: string }, localAddress?: string) {
  const connection = await openConnection(service, localAddress);
  connection.socket.write(healthRequest);
  await expect.poll(connection.statuses).toEqual(['200']);
  return connection;
}

/** Opens connections until one has its response. */
async function pollServed(service: { url: string }): Promise<void> {
  await expect
    .poll(async () => {
      const further = await openConnection(service);
      further.socket.write(healthRequest);
      await Promise.race([further.closed(), once(further.socket, 'data')]);
      return further.statuses();
    })
    .toEqual(['200']);
}

describe('the number of connections', () => {
  it('makes room by closing the oldest that sent nothing', async () => {
    const service = await start({ limits: { maxConnections: 3, silentTime: 0 } });
    const served = await openServed(service);
    const oldest = await openConnection(service);
    const younger = await openConnection(service);
    await openServed(service);
    await oldest.closed();
    expect(younger.socket.closed).toBe(false);
    served.socket.write(healthRequest);
    await expect.poll(served.statuses).toEqual(['200', '200']);
    expect(await service.countClosed('connections')).toBe(1);
  });

  it('does not make room by closing one that was opened just now', async () => {
    const service = await start({ limits: { maxConnections: 2, silentTime: 60_000 } });
    const served = await openServed(service);
    const young = await openConnection(service);
    await openServed(service);
    await served.closed();
    young.socket.write(healthRequest);
    await expect.poll(young.statuses).toEqual(['200']);
  });

  it('makes room by closing the one on which nothing has moved for longest', async () => {
    const service = await start({
      limits: { maxConnections: 2, quietTime: 300, firstByteTimeout: 100 },
    });
    const quiet = await openServed(service);
    const busy = await openServed(service);
    const working = setInterval(() => busy.socket.write(healthRequest), 50);
    onTestFinished(() => clearInterval(working));
    await pollServed(service);
    await quiet.closed();
    expect(busy.socket.closed).toBe(false);
  });

  it('makes room by closing one that has waited for a response for long', async () => {
    const service = await start({ limits: { maxConnections: 1, quietTime: 300 } });
    const waiting = await openConnection(service);
    const isRead = new Promise<void>((resolve) => {
      service.store.listPets = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    waiting.socket.write(listRequest(service.key));
    await within(isRead, 'the list is read');
    await pollServed(service);
    await waiting.closed();
  });

  it('makes room by closing one that is idle, not one that waits for a response', async () => {
    const service = await start({ limits: { maxConnections: 2 } });
    const [waiting, idle] = [await openServed(service), await openServed(service)];
    const { listPets } = service.store;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    onTestFinished(release);
    const isRead = new Promise<void>((resolve) => {
      service.store.listPets = (query) => {
        resolve();
        return held.then(() => listPets(query));
      };
    });
    waiting.socket.write(listRequest(service.key));
    await within(isRead, 'the list is read');
    await openServed(service);
    await idle.closed();
    expect(waiting.socket.closed).toBe(false);
  });

  it('is bounded when all wait for a response: a further one is closed', async () => {
    const service = await start({ limits: { maxConnections: 2 } });
    const { listPets } = service.store;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    onTestFinished(release);
    let reads = 0;
    service.store.listPets = (query) => {
      reads += 1;
      return held.then(() => listPets(query));
    };
    const [waiting, other] = [await openServed(service), await openServed(service)];
    for (const { socket } of [waiting, other]) socket.write(listRequest(service.key));
    await expect.poll(() => reads).toBe(2);
    await (await openConnection(service)).closed();
    expect(await service.countClosed('connections')).toBe(1);
    waiting.socket.resetAndDestroy();
    await expect.poll(() => readMetric(service, 'petstore_connections')).toBe(1);
    await openServed(service);
  });
});

describe('the connections of one address', () => {
  const limits = { isExemptAddress: () => false };

  it('are bounded, those of others are not', async () => {
    const service = await start({ connectionsPerAddress: 2, limits });
    const first = await openServed(service);
    await openServed(service);
    await (await openConnection(service)).closed();
    await openServed(service, '127.0.0.2');
    expect(await service.countClosed('connections_of_address')).toBe(1);
    first.socket.destroy();
    await expect.poll(() => readMetric(service, 'petstore_connections')).toBe(2);
    await openServed(service);
    await (await openConnection(service)).closed();
  });

  it.each([
    ['on loopback', { behindProxy: false, limits: {} }],
    ['behind a proxy', { behindProxy: true, limits: {} }],
  ])('are not counted %s', async (_, overrides) => {
    const service = await start({ connectionsPerAddress: 1, ...overrides });
    await openServed(service);
    await openServed(service);
  });
});

describe('a connection that sends nothing', () => {
  it('is closed, one that had a response is not', async () => {
    const service = await start({ limits: { firstByteTimeout: 100 } });
    const served = await openServed(service);
    await (await openConnection(service)).closed();
    expect(await service.countClosed('first_byte')).toBe(1);
    served.socket.write(healthRequest);
    await expect.poll(served.statuses).toEqual(['200', '200']);
  });
});

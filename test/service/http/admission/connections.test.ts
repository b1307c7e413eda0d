import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServiceOptions } from '../../../../src/service/open-service.ts';
import { healthRequest, openConnection, readMetric } from '../../../support/open-connection.ts';
import { startService } from '../../../support/service.ts';

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

describe('the number of connections', () => {
  it('makes room by closing the oldest that sent nothing', async () => {
    const service = await start({ limits: { maxConnections: 3 } });
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

  it('makes room by closing the one on which nothing has moved for longest', async () => {
    const service = await start({
      limits: { maxConnections: 2, quietTime: 300, firstByteTimeout: 100 },
    });
    const quiet = await openServed(service);
    const busy = await openServed(service);
    const working = setInterval(() => busy.socket.write(healthRequest), 50);
    onTestFinished(() => clearInterval(working));
    await expect
      .poll(async () => {
        const further = await openConnection(service);
        further.socket.write(healthRequest);
        await Promise.race([further.closed(), once(further.socket, 'data')]);
        return further.statuses();
      })
      .toEqual(['200']);
    await quiet.closed();
    expect(busy.socket.closed).toBe(false);
  });

  it('is bounded when all have sent something: a further one is closed', async () => {
    const service = await start({ limits: { maxConnections: 2 } });
    await openServed(service);
    const served = await openServed(service);
    await (await openConnection(service)).closed();
    expect(await service.countClosed('connections')).toBe(1);
    served.socket.destroy();
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

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { call } from '../../../support/http.ts';
import { healthRequest, listRequest, openConnection } from '../../../support/open-connection.ts';
import { startService } from '../../../support/service.ts';
import { within } from '../../../support/within.ts';

/** Takes as long as many requests, so that the last of a few waits longer than a service that stops looks again. */
function keepBusy(): void {
  const until = performance.now() + 20;
  while (performance.now() < until);
}

describe('a service that stops', () => {
  it('goes on accepting for a while, says so in /readyz and asks clients to leave', async () => {
    const service = await startService({ overrides: { limits: { drainTime: 400 } } });
    const kept = await openConnection(service);
    kept.socket.write(healthRequest);
    await expect.poll(kept.statuses).toEqual(['200']);
    expect(kept.text()).not.toContain('Connection: close');
    const stopped = service.close();
    kept.socket.write(healthRequest);
    await kept.closed();
    expect(kept.statuses()).toEqual(['200', '200']);
    expect(kept.text()).toContain('Connection: close');
    const root = { ...service, url: service.url.replace('/v1', '') };
    const ready = await call(root, '/readyz');
    expect(ready.status).toBe(503);
    expect(ready.headers.get('connection')).toBe('close');
    expect((await call(service, '/pets')).status).toBe(200);
    await stopped;
    await expect(call(root, '/readyz')).rejects.toThrow();
  });

  it('closes connections that are idle, not one whose request has just arrived', async () => {
    const service = await startService({ overrides: { limits: { drainTime: 100 } } });
    const [idle, late] = [await openConnection(service), await openConnection(service)];
    for (const { socket, statuses } of [idle, late]) {
      socket.write(healthRequest);
      await expect.poll(statuses).toEqual(['200']);
    }
    const stopped = service.close();
    let isLate = true;
    const { listPets } = service.store;
    service.store.listPets = async (query) => {
      await idle.closed();
      isLate = false;
      return await listPets(query);
    };
    late.socket.write(listRequest(service.key));
    await stopped;
    expect(isLate).toBe(false);
    expect(late.statuses()).toEqual(['200', '200']);
  });

  it('responds to what has arrived on connections that wait to be read', async () => {
    const limits = { drainTime: 50, requestsPerTurn: 40, pipelinedWeight: 40, deferredPerTurn: 1 };
    const service = await startService({ overrides: { limits } });
    const crowd = await Promise.all(Array.from({ length: 6 }, () => openConnection(service)));
    for (const { socket, statuses } of crowd) {
      socket.write(healthRequest);
      await expect.poll(statuses).toEqual(['200']);
    }
    const stopped = service.close();
    for (const { socket } of crowd) socket.write(healthRequest.repeat(2));
    subscribe('http.server.request.start', keepBusy);
    onTestFinished(() => void unsubscribe('http.server.request.start', keepBusy));
    await within(stopped, 'the service stops when it has read what arrived', 5_000);
    for (const { statuses } of crowd) expect(statuses()).toEqual(['200', '200', '200']);
  });

  it('closes a connection whose response is not sent yet when its client has read it, not before', async () => {
    const service = await startService();
    // More than the system takes from a service whose client does not read.
    const json = `[${' '.repeat(16 * 1024 * 1024)}]`;
    service.store.listPets = () => ({ json, next: undefined });
    const { socket, text, closed } = await openConnection(service);
    socket.write(listRequest(service.key));
    await once(socket, 'data');
    socket.pause();
    const stopped = service.close();
    const connect = () => openConnection(service).then(() => 'accepted');
    await expect.poll(() => connect().catch(() => 'refused')).toBe('refused');
    socket.resume();
    await within(stopped, 'the service stops when its last response has been read');
    await closed();
    expect(text().endsWith(' ]')).toBe(true);
    expect(text()).not.toContain('Connection: close');
  });

  it('clears every interval it has set', async () => {
    const [set, clear] = [
      vi.spyOn(globalThis, 'setInterval'),
      vi.spyOn(globalThis, 'clearInterval'),
    ];
    await (await startService({ overrides: { metricsPort: 0 } })).close();
    const cleared = clear.mock.calls.map(([interval]) => interval);
    const intervals = set.mock.results.map(({ value }) => value);
    expect(intervals).not.toHaveLength(0);
    expect(intervals.filter((interval) => !cleared.includes(interval))).toHaveLength(0);
  });
});

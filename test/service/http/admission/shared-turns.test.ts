import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Limits } from '../../../../src/service/http/admission/limits.ts';
import { healthRequest, listRequest, openConnection } from '../../../support/open-connection.ts';
import { startService } from '../../../support/service.ts';

async function start(limits: Partial<Limits>) {
  const service = await startService({ overrides: { limits } });
  onTestFinished(service.close);
  return service;
}

/** Calls back for each event of Node's HTTP server in this process. */
function watch(channel: string, note: () => void): void {
  const onMessage = () => note();
  subscribe(channel, onMessage);
  onTestFinished(() => void unsubscribe(channel, onMessage));
}

const CONNECTIONS = 8;
const PER_TURN = 4;

it.each([
  ['need no waiting', () => healthRequest],
  ['waited for the same thing', listRequest],
])(
  'pipelined requests share a bound per turn over all connections when they %s',
  async (_, createRequest) => {
    const service = await start({ deferredPerTurn: PER_TURN });
    const { listPets } = service.store;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reads = 0;
    service.store.listPets = (query) => {
      reads += 1;
      return held.then(() => listPets(query));
    };
    let inTurn = 0;
    let longest = 0;
    watch('http.server.response.finish', () => {
      inTurn += 1;
      longest = Math.max(longest, inTurn);
    });
    const connections = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => openConnection(service)),
    );
    for (const { socket } of connections) socket.write(createRequest(service.key).repeat(30));
    if (createRequest === listRequest) await expect.poll(() => reads).toBe(CONNECTIONS * 30);
    release();
    while (connections.some(({ statuses }) => statuses().length < 30)) {
      await nextTurn();
      inTurn = 0;
    }
    // The first request of each connection is not pipelined.
    expect(longest).toBeLessThanOrEqual(PER_TURN + CONNECTIONS);
  },
);

it('pipelined requests wait while connections are accepted', async () => {
  const service = await start({ deferredPerTurn: 1, longestSkip: 60_000 });
  const { socket, statuses } = await openConnection(service);
  let responses = 0;
  watch('http.server.response.finish', () => {
    responses += 1;
  });
  const seen: number[] = [];
  watch('net.server.socket', () => seen.push(responses));
  socket.write(healthRequest.repeat(200));
  await expect.poll(() => responses).toBeGreaterThan(1);
  const port = Number(new URL(service.url).port);
  const others = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => {
    for (const one of others) one.destroy();
  });
  await Promise.all(others.map((one) => once(one, 'connect')));
  await expect.poll(() => seen.length).toBe(20);
  expect((seen[19] ?? Number.POSITIVE_INFINITY) - (seen[0] ?? 0)).toBeLessThan(5);
  await expect.poll(statuses).toHaveLength(200);
});

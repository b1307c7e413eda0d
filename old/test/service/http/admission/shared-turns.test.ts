import { subscribe, unsubscribe } from 'node:diagnostics_channel';
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

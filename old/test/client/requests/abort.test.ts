import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, buildConnector } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPetstoreClient } from '../../../src/client/client.ts';
import { attempt } from '../../../src/client/requests/attempt.ts';
import { createTransport } from '../../../src/client/transport/undici-transport.ts';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { within } from '../../support/within.ts';

/** Real connections, made only once the gate is open. */
function openGatedAgent() {
  const connect = buildConnector({});
  let isOpen = false;
  let proceed = () => {};
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const agent = new Agent({
    // The next request waits for the connection that the aborted one asked for.
    connections: 1,
    connect(options, callback) {
      proceed = () => connect(options, callback);
      ask();
      if (isOpen) proceed();
    },
  });
  onTestFinished(() => agent.destroy());
  const open = () => {
    isOpen = true;
    proceed();
  };
  return { agent, open, asked };
}

async function startPost(timeout: number) {
  const server = await startHttpServer(respondJson(200, '[]'));
  const gate = openGatedAgent();
  const stop = new AbortController();
  const shared = { baseUrl: server.url, apiKey: 'k', retries: 0, dispatcher: gate.agent };
  const client = createPetstoreClient({ ...shared, timeout, signal: stop.signal });
  const post = client.createPet({ name: 'Rex', categoryId: 7n }).then(
    () => 'added',
    (error: unknown) => error,
  );
  /** Lets the connection be made, and what waits for it be sent, up to a request of the test's own. */
  const readSent = async () => {
    gate.open();
    await createPetstoreClient(shared).listPets({ limit: 1 });
    return server.requests;
  };
  return { post, stop, asked: gate.asked, readSent };
}

describe('a write that ends before its connection is established', () => {
  it('by its signal is never sent, also when the connection is established later', async () => {
    const { post, stop, asked, readSent } = await startPost(5000);
    await asked;
    stop.abort();
    expect(await within(post, 'the write ends when its signal aborts')).toMatchObject({
      outcome: 'not_sent',
      failure: { kind: 'aborted' },
    });
    expect(await readSent()).toEqual(['GET /v1/pets?limit=1']);
  });

  it('by its time limit is never sent either', async () => {
    const { post, asked, readSent } = await startPost(50);
    await asked;
    expect(await within(post, 'the write ends with its time limit')).toMatchObject({
      outcome: 'not_sent',
      failure: { kind: 'unreachable' },
    });
    expect(await readSent()).toEqual(['GET /v1/pets?limit=1']);
  });

  it('by a signal that was aborted from the start is never sent', async () => {
    const server = await startHttpServer(respondJson(200, '[]'));
    const signal = AbortSignal.abort();
    const client = createPetstoreClient({ baseUrl: server.url, apiKey: 'k', signal });
    onTestFinished(() => client.close());
    const failure = client.createPet({ name: 'Rex', categoryId: 7n }).catch((error) => error);
    expect(await within(failure, 'a write whose signal was aborted before ends')).toMatchObject({
      outcome: 'not_sent',
      failure: { kind: 'aborted' },
    });
    expect(server.requests).toEqual([]);
  });
});

describe('a request that is running when its signal aborts', () => {
  type Client = ReturnType<typeof createPetstoreClient>;
  const requests: [name: string, outcome: string, send: (client: Client) => Promise<unknown>][] = [
    ['a read', 'not_applied', (client) => client.listPets()],
    ['a write', 'unknown', (client) => client.createPet({ name: 'Rex', categoryId: 7n })],
  ];

  it.each(requests)('%s fails at once, and lets go of its connection', async (_, outcome, send) => {
    const stop = new AbortController();
    const { server, url } = await startHttpServer(() => stop.abort());
    const closed = new Promise((resolve) => {
      server.on('connection', (socket) => socket.on('close', resolve));
    });
    const client = createPetstoreClient({ baseUrl: url, apiKey: 'k', signal: stop.signal });
    onTestFinished(() => client.close());
    const failure = send(client).catch((error: unknown) => error);
    const expected = 'the request ends when its signal aborts';
    expect(await within(failure, expected)).toMatchObject({
      outcome,
      failure: { kind: 'aborted' },
    });
    await within(closed, 'the connection of an aborted request is closed');
  });

  it('makes no further attempt, and does not wait for one', async () => {
    const stop = new AbortController();
    const { url, requests } = await startHttpServer((request, response) => {
      respondJson(503, '{"code":"busy","message":"x","status":503}', { 'retry-after': '30' })(
        request,
        response,
      );
    });
    let attempts = 0;
    const trace = {
      request: () => {
        attempts += 1;
      },
      retry: () => stop.abort(),
    };
    const client = createPetstoreClient({ baseUrl: url, apiKey: 'k', signal: stop.signal, trace });
    onTestFinished(() => client.close());
    const failure = client.listPets().catch((error: unknown) => error);
    const expected = 'the wait for the next attempt ends when the signal aborts';
    expect(await within(failure, expected)).toMatchObject({ failure: { kind: 'aborted' } });
    expect(requests).toHaveLength(1);
    expect(attempts).toBe(1);
  });
});

describe('a client that is closed', () => {
  const isOver = 'the request ends when its client is closed';

  it('ends a request that has no response yet', async () => {
    let close = () => {};
    const { url } = await startHttpServer(() => close());
    const client = createPetstoreClient({ baseUrl: url, apiKey: 'k' });
    close = () => void client.close();
    const failure = client.listPets().catch((error: unknown) => error);
    expect(await within(failure, isOver)).toMatchObject({ failure: { kind: 'aborted' } });
  });

  it('ends the wait for the next attempt', async () => {
    const { url, requests } = await startHttpServer(
      respondJson(503, '{"code":"busy","message":"x","status":503}', { 'retry-after': '30' }),
    );
    const trace = { retry: () => void client.close() };
    const client = createPetstoreClient({ baseUrl: url, apiKey: 'k', trace });
    const failure = client.listPets().catch((error: unknown) => error);
    expect(await within(failure, isOver)).toMatchObject({ failure: { kind: 'aborted' } });
    expect(requests).toHaveLength(1);
  });
});

describe('a page that may not be needed', () => {
  it('is asked for again once it is wanted, and not before, however late', async () => {
    let passed = 0;
    const start = process.uptime();
    vi.spyOn(process, 'uptime').mockImplementation(() => start + passed);
    const { url, requests } = await startHttpServer((request, response) =>
      requests.length === 1
        ? respondJson(503, '{}', { 'retry-after': '0' })(request, response)
        : respondJson(200, '[]')(request, response),
    );
    const events: string[] = [];
    let fail = () => {};
    const failed = new Promise<void>((resolve) => {
      fail = resolve;
    });
    const trace = { result: () => fail(), retry: () => void events.push('retry') };
    const client = createPetstoreClient({ baseUrl: url, apiKey: 'k', trace });
    onTestFinished(() => client.close());
    let want = () => {};
    const wanted = new Promise<void>((resolve) => {
      want = resolve;
    });
    const { signal } = new AbortController();
    const page = client.listNextPage(new URL(`${url}/pets?cursor=a`), () => {}, { wanted, signal });
    await failed;
    await nextTurn();
    events.push('wanted');
    // More than all attempts together may take.
    passed = 121;
    want();
    expect(await page).toMatchObject({ pets: [] });
    expect(events).toEqual(['wanted', 'retry']);
  });

  it('ends by its own signal, and the client goes on', async () => {
    const own = new AbortController();
    const { url } = await startHttpServer((request, response) => {
      if (request.url?.includes('cursor')) own.abort();
      else respondJson(200, '[]')(request, response);
    });
    const client = createPetstoreClient({ baseUrl: url, apiKey: 'k' });
    onTestFinished(() => client.close());
    const ahead = { wanted: Promise.resolve(), signal: own.signal };
    const page = client.listNextPage(new URL(`${url}/pets?cursor=a`), () => {}, ahead);
    const failure = page.catch((error: unknown) => error);
    const expected = 'the page is given up when its signal aborts';
    expect(await within(failure, expected)).toMatchObject({ failure: { kind: 'aborted' } });
    expect(await client.listPets()).toMatchObject({ pets: [] });
  });
});

it.each([200, 404])('an attempt that got a %i waits for no signal any more', async (status) => {
  const { url } = await startHttpServer(respondJson(status, '{}'));
  const transport = createTransport({ proxy: undefined });
  onTestFinished(transport.close);
  const { signal } = new AbortController();
  const request = { method: 'GET', url: new URL(url), headers: {}, body: undefined } as const;
  const { ok } = await attempt(transport, request, { timeout: 60_000, signal, quote: String });
  expect(ok).toBe(status === 200);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

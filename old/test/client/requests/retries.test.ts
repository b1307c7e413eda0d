import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPetstoreClient } from '../../../src/client/client.ts';
import { RequestError } from '../../../src/client/request-error.ts';
import { chooseDelay } from '../../../src/client/requests/retry-rules.ts';
import { findFreePort } from '../../support/free-port.ts';
import { respondJson, startHttpServer } from '../../support/http-server.ts';

const rex = '{"id":1,"name":"Rex","categoryId":7}';
const honored = { 'petstore-idempotency': '7d' };
const fail = (status: number, headers: Record<string, string> = {}) =>
  respondJson(status, JSON.stringify({ code: 'some_code', message: 'because', status }), headers);
const reset: RequestListener = (request) => request.socket.resetAndDestroy();
const emptyList = respondJson(200, '[]');
/** Too busy until a date two minutes ahead, which HTTP writes without milliseconds. */
const failUntilDate: RequestListener = (request, response) => {
  const retryAfter = new Date(Date.now() + 120_000).toUTCString();
  fail(503, { ...honored, 'retry-after': retryAfter })(request, response);
};

/** A server that sends these responses one after the other, and records the idempotency keys it received. */
async function startScript(...listeners: RequestListener[]) {
  const keys: unknown[] = [];
  let at = 0;
  const server = await startHttpServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST') keys.push(request.headers['idempotency-key']);
    const respond = listeners[at] ?? fail(418);
    at += 1;
    respond(request, response);
  });
  const client = createPetstoreClient({
    baseUrl: server.url,
    apiKey: 'k',
    retries: 2,
    timeout: 5000,
  });
  onTestFinished(() => client.close());
  return { client, keys, requests: server.requests };
}

async function failureOf(promise: Promise<unknown>): Promise<RequestError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RequestError))
    throw new Error('it should have failed with a RequestError');
  return error;
}

const list = 'GET /v1/pets?limit=20';
const post = 'POST /v1/pets';
const ask = 'HEAD /v1/pets?limit=1';

describe('a read', () => {
  it.each([
    ['408', fail(408)],
    ['429', fail(429)],
    ['502', fail(502)],
    ['503', fail(503)],
    ['504', fail(504)],
    ['a reset', reset],
  ])('is repeated after %s', async (_name, first) => {
    const { client, requests } = await startScript(first, emptyList);
    expect(await client.listPets()).toMatchObject({ pets: [] });
    expect(requests).toEqual([list, list]);
  });

  it.each([
    ['400', fail(400)],
    ['401', fail(401)],
    ['404', fail(404)],
    ['500', fail(500)],
    ['HTML', ((_, response) => response.end('<p>')) satisfies RequestListener],
    ['503 that asks for more than a minute', fail(503, { 'retry-after': '61' })],
    ['503 that names a date two minutes ahead', failUntilDate],
  ])('is not repeated after %s', async (_name, first) => {
    const { client, requests } = await startScript(first, emptyList);
    await failureOf(client.listPets());
    expect(requests).toEqual([list]);
  });

  it('is not retried, and not waited for, when Retry-After is a date two minutes ahead', async () => {
    const { client } = await startScript(failUntilDate, emptyList);
    const start = performance.now();
    const { retryAfter } = await failureOf(client.listPets());
    expect(performance.now() - start).toBeLessThan(3000);
    expect(retryAfter).toBeGreaterThan(110);
    expect(retryAfter).toBeLessThanOrEqual(120);
  });

  it('is given up after the retries allowed', async () => {
    const { client, requests } = await startScript(fail(503), fail(503), fail(503), emptyList);
    expect(await failureOf(client.listPets())).toMatchObject({ outcome: 'not_applied' });
    expect(requests).toEqual([list, list, list]);
  });

  it('waits as long as Retry-After says', async () => {
    const { client } = await startScript(fail(503, { 'retry-after': '1' }), emptyList);
    const start = performance.now();
    await client.listPets();
    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
  });
});

describe('a write', () => {
  const add = { name: 'Rex', categoryId: 7n };

  it.each([
    ['500', fail(500, honored)],
    ['503', fail(503, honored)],
    [
      '409 first still running',
      respondJson(409, '{"code":"idempotency_conflict","message":"x","status":409}', honored),
    ],
  ])('is repeated with the same key after %s, where keys are honored', async (_name, first) => {
    const { client, keys, requests } = await startScript(first, respondJson(201, rex, honored));
    expect(await client.createPet(add)).toMatchObject({ pet: { id: 1n } });
    expect(requests).toEqual([post, post]);
    expect(new Set(keys).size).toBe(1);
  });

  it('that was lost first asks whether keys are honored, then is repeated', async () => {
    const { client, requests } = await startScript(
      reset,
      respondJson(200, '', honored),
      respondJson(201, rex),
    );
    expect(await client.createPet(add)).toMatchObject({ pet: { id: 1n } });
    expect(requests).toEqual([post, ask, post]);
  });

  it('that was lost is not repeated where keys are not honored: the outcome is unknown', async () => {
    const { client, requests } = await startScript(
      reset,
      respondJson(200, ''),
      respondJson(201, rex),
    );
    const error = await failureOf(client.createPet(add, { idempotencyKey: 'k1' }));
    expect(error).toMatchObject({
      outcome: 'unknown',
      idempotencyKey: 'k1',
      failure: { kind: 'no_response' },
    });
    expect(requests).toEqual([post, ask]);
  });

  it('is not repeated while nobody can say whether keys are honored', async () => {
    const { client, requests } = await startScript(reset, reset, respondJson(201, rex));
    expect(await failureOf(client.createPet(add))).toMatchObject({ outcome: 'unknown' });
    expect(requests).toEqual([post, ask]);
  });

  /** Lets the two minutes for all attempts pass before a response is sent. */
  function startClock() {
    let passed = 0;
    const start = process.uptime();
    vi.spyOn(process, 'uptime').mockImplementation(() => start + passed);
    return (seconds: number, respond: RequestListener): RequestListener =>
      (request, response) => {
        passed += seconds;
        respond(request, response);
      };
  }

  it('asks whether keys are honored for no longer than is left of the two minutes', async () => {
    const takingSeconds = startClock();
    const { client, requests } = await startScript(takingSeconds(119, reset), () => {});
    const start = performance.now();
    expect(await failureOf(client.createPet(add))).toMatchObject({
      failure: { kind: 'no_response' },
    });
    expect(performance.now() - start).toBeLessThan(3000);
    expect(requests).toEqual([post, ask]);
  });

  it('is not repeated when the response came after the two minutes', async () => {
    const takingSeconds = startClock();
    const honor = takingSeconds(121, respondJson(200, '', honored));
    const { client, requests } = await startScript(reset, honor, respondJson(201, rex));
    expect(await failureOf(client.createPet(add))).toMatchObject({
      failure: { kind: 'no_response', isTimeout: false },
    });
    expect(requests).toEqual([post, ask]);
  });

  it("a proxy's failure does not say that keys are not honored", async () => {
    const { client, requests } = await startScript(
      fail(502),
      respondJson(200, '', honored),
      respondJson(201, rex, honored),
    );
    await client.createPet(add);
    expect(requests).toEqual([post, ask, post]);
  });

  it('stays unknown when a later attempt is refused: the first may have acted', async () => {
    const { client } = await startScript(fail(500, honored), fail(401, honored));
    expect(await failureOf(client.createPet(add))).toMatchObject({
      outcome: 'unknown',
      failure: { status: 401 },
    });
  });

  it.each([400, 401, 413, 422])('is not repeated after %i, and was not applied', async (status) => {
    const { client, requests } = await startScript(fail(status, honored));
    expect(await failureOf(client.createPet(add))).toMatchObject({ outcome: 'not_applied' });
    expect(requests).toEqual([post]);
  });

  it('is not repeated when Retry-After is a date two minutes ahead', async () => {
    const { client, requests } = await startScript(failUntilDate, respondJson(201, rex));
    expect(await failureOf(client.createPet(add))).toMatchObject({ failure: { status: 503 } });
    expect(requests).toEqual([post]);
  });

  it('that never left is repeated without asking, and reported as not sent', async () => {
    const port = await findFreePort();
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    const attempts: string[] = [];
    const trace = { request: ({ method }: { method: string }) => attempts.push(method) };
    const client = createPetstoreClient({ baseUrl, apiKey: 'k', retries: 1, trace });
    onTestFinished(() => client.close());
    expect(await failureOf(client.createPet(add))).toMatchObject({ outcome: 'not_sent' });
    expect(attempts).toEqual(['POST', 'POST']);
  });
});

describe('the wait before the next attempt', () => {
  it.each([
    [1, undefined, 0, 0],
    [1, undefined, 1, 400],
    [2, undefined, 1, 800],
    [3, undefined, 0.5, 800],
    [9, undefined, 1, 10_000],
    [1, 7, 0, 7000],
    [1, 60, 0, 60_000],
    [1, 61, 0, Number.POSITIVE_INFINITY],
  ])('after %i attempts, Retry-After %s, dice %d: %s ms', (made, retryAfter, dice, delay) => {
    expect(chooseDelay(made, retryAfter, () => dice)).toBe(delay);
  });
});

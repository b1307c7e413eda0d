import { describe, expect, it, onTestFinished } from 'vitest';
import { issueKey } from '../../../src/service/keys/issue-key.ts';
import { call, expectFailure, post, type TestResponse } from '../../support/http.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { startService } from '../../support/service.ts';

const rex = '{"name":"Rex","categoryId":7}';

async function start(options: Parameters<typeof startService>[0] = {}) {
  const service = await startService(options);
  onTestFinished(service.close);
  return {
    ...service,
    add: (key: string, body = rex) => post(service, body, { 'idempotency-key': key }),
    count: async () => JSON.parse((await call(service, '/pets?limit=100')).text).length,
  };
}

function expectReplay(response: TestResponse, first: TestResponse): void {
  expect(response).toMatchObject({ status: 201, text: first.text });
  expect(response.headers.get('location')).toBe(first.headers.get('location'));
  expect(response.headers.get('idempotency-replayed')).toBe('true');
}

describe('Idempotency-Key', () => {
  it('responds to the same key and body as the first time, and says so', async () => {
    const { add, count } = await start();
    const first = await add('a');
    expect(first.headers.has('idempotency-replayed')).toBe(false);
    expectReplay(await add('a'), first);
    expect(await count()).toBe(1);
  });

  it('compares what is meant: spelling, order and the default status make no other body', async () => {
    const { add } = await start();
    const first = await add('a');
    const same = ' {"status":"available", "categoryId":7, "name":"\\u0052ex"}';
    expectReplay(await add('a', same), first);
  });

  it.each([
    '{"name":"Max","categoryId":7}',
    '{"name":"Rex","categoryId":8}',
    '{"name":"Rex","categoryId":7,"status":"sold"}',
  ])('422 for another body: %s', async (body) => {
    const { add, count } = await start();
    await add('a');
    expectFailure(await add('a', body), 422, 'idempotency_mismatch');
    expect(await count()).toBe(1);
  });

  it('is of the store, not of the API key: a rotated key does not turn a retry into a second pet', async () => {
    const service = await start();
    const first = await service.add('a');
    const { key } = await issueKey(service.store, { name: 'rotated', createdAt: new Date() });
    expectReplay(await post({ ...service, key }, rex, { 'idempotency-key': 'a' }), first);
  });

  it('adds one pet however many ask at once; the others get its response or 409', async () => {
    const { add, count } = await start();
    const responses = await Promise.all(Array.from({ length: 30 }, () => add('a')));
    expect(await count()).toBe(1);
    for (const response of responses.filter(({ status }) => status !== 201))
      expectFailure(response, 409, 'idempotency_conflict');
    const fresh = responses.filter(
      ({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'),
    );
    expect(fresh).toHaveLength(1);
  });

  it('409 while the first request is still running, and its response from then on', async () => {
    const { add, store, count } = await start();
    const { addPets } = store;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const started = new Promise<void>((resolve) => {
      store.addPets = async (additions, now) => {
        resolve();
        await held;
        return await addPets(additions, now);
      };
    });
    const running = add('a');
    await started;
    expectFailure(await add('a'), 409, 'idempotency_conflict');
    release();
    const first = await running;
    expectReplay(await add('a'), first);
    expect(await count()).toBe(1);
  });

  it('is free again when the first request was refused', async () => {
    const { add } = await start();
    expectFailure(await add('a', '{}'), 400, 'invalid_request');
    expect((await add('a')).status).toBe(201);
  });

  it.each([
    ['nothing', ''],
    ['white space inside', 'a b'],
    ['256 characters', 'a'.repeat(256)],
    ['what is not ASCII', 'é'],
  ])('400 for %s as a key', async (_, key) => {
    const { add, count } = await start();
    expectFailure(await add(key), 400, 'invalid_request');
    expect(await count()).toBe(0);
  });

  it.each(['a', '"8e03978e-40d5-43dd-bc93-6894a57f9324"', 'a'.repeat(255)])(
    'takes %.50s as a key',
    async (key) => {
      const { add } = await start();
      expect((await add(key)).status).toBe(201);
    },
  );

  it('is remembered for 7 days and then forgotten', async () => {
    const day = 24 * 60 * 60 * 1000;
    const begin = Date.parse('2026-11-20T12:00:00Z');
    let now = new Date(begin);
    const { add } = await start({ overrides: { now: () => now } });
    const first = await add('a');
    now = new Date(begin + 7 * day - 1);
    expectReplay(await add('a'), first);
    now = new Date(begin + 7 * day);
    const second = await add('a');
    expect(second.headers.has('idempotency-replayed')).toBe(false);
    expect(second.text).not.toBe(first.text);
  });

  it('outlives a restart', async () => {
    const database = `sqlite:${await makeFolder()}/petstore.db`;
    const before = await startService({ database });
    const first = await post(before, rex, { 'idempotency-key': 'a' });
    await before.close();
    const { add } = await start({ database });
    expectReplay(await add('a'), first);
  });
});

import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { GET_PET_SUNSET } from '../../../src/contract/operations.ts';
import { issueKey } from '../../../src/service/keys/issue-key.ts';
import { call, expectFailure, post } from '../../support/http.ts';
import { startService } from '../../support/service.ts';

const rex = { name: 'Rex', categoryId: 7n };
const service = await startService({ pets: [rex] });
afterAll(service.close);

describe('getPet (4.3)', () => {
  it('responds 200 with the pet, the first time and ever after', async () => {
    const text = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}';
    expect(await call(service, '/pets/1')).toMatchObject({ status: 200, text });
    expect(await call(service, '/pets/1')).toMatchObject({ status: 200, text });
  });

  it('finds a pet that was missing before', async () => {
    const own = await startService();
    onTestFinished(own.close);
    expect((await call(own, '/pets/1')).status).toBe(404);
    await post(own, '{"name":"Rex","categoryId":7}');
    expect((await call(own, '/pets/1')).status).toBe(200);
  });

  it.each([
    '2',
    '0',
    '-1',
    '9223372036854775807',
    '9223372036854775808',
    '1.0',
    '1e0',
    '0x1',
    'abc',
    '%20',
    '1%2f',
    '%ff',
    '%',
    `1${'0'.repeat(9_000)}`,
  ])('404 for %.30s: there is no such pet, and the contract has no 400 here', async (id) => {
    expectFailure(await call(service, `/pets/${id}`), 404, 'not_found');
  });

  it.each(['1', '2'])('announces its removal on every response, here for pet %s', async (id) => {
    const { headers } = await call(service, `/pets/${id}`);
    expect(headers.get('deprecation')).toMatch(/^@\d{10}$/);
    expect(headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
    expect(headers.get('link')).toBe('</v1/pets>; rel="successor-version"');
  });

  it('announces nothing to a client without a key', async () => {
    const { headers } = await call(service, '/pets/1', { headers: { authorization: '' } });
    for (const name of ['deprecation', 'sunset', 'link']) expect(headers.get(name)).toBeNull();
    expect(headers.get('petstore-idempotency')).toBe('7d');
  });

  it('HEAD responds as GET without the body', async () => {
    const head = await call(service, '/pets/1', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.get('content-length')).toBe('57');
    expect((await call(service, '/pets/2', { method: 'HEAD' })).status).toBe(404);
  });
});

describe('the removal of getPet on 5 December 2030', () => {
  it('comes at the instant, not before', async () => {
    const before = await startService({
      pets: [rex],
      asOf: new Date(GET_PET_SUNSET.getTime() - 1),
    });
    onTestFinished(before.close);
    expect((await call(before, '/pets/1')).status).toBe(200);
    const after = await startService({ pets: [rex], asOf: GET_PET_SUNSET });
    onTestFinished(after.close);
    for (const path of ['/pets/1', '/pets/2', '/pets/abc'])
      expectFailure(await call(after, path), 410, 'operation_removed');
  });

  it('comes while the service runs, also for a pet it has sent before', async () => {
    let now = new Date(GET_PET_SUNSET.getTime() - 1);
    const own = await startService({ pets: [rex], overrides: { now: () => now } });
    onTestFinished(own.close);
    expect((await call(own, '/pets/1')).status).toBe(200);
    now = GET_PET_SUNSET;
    expectFailure(await call(own, '/pets/1'), 410, 'operation_removed');
  });

  it('leaves everything else: 401 first, listing, adding, the expiry of keys', async () => {
    const own = await startService({ pets: [rex], asOf: new Date('2030-12-06') });
    onTestFinished(own.close);
    const noKey = await call(own, '/pets/1', { headers: { authorization: '' } });
    expectFailure(noKey, 401, 'unauthorized');
    expect((await call(own, '/pets')).status).toBe(200);
    expect((await post(own, '{"name":"R","categoryId":1}')).status).toBe(201);
    expect((await call(own, '/pets/1', { method: 'PUT' })).status).toBe(405);
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + 60_000);
    const { key } = await issueKey(own.store, { name: 'short', createdAt, expiresAt });
    expect((await call({ ...own, key }, '/pets')).status).toBe(200);
  });
});

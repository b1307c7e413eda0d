import { request as send } from 'node:http';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { NewPet } from '../../../src/contract/pet.ts';
import { startService, type TestService } from '../../support/service.ts';

const pets: NewPet[] = Array.from({ length: 30 }, (_, index) => ({
  name: `Pet ${index + 1} é🐕`,
  categoryId: 1n,
}));

const service = await startService({ pets });
afterAll(service.close);

interface Received {
  readonly status: number | undefined;
  /** Names and values as they came, but for what differs each time. */
  readonly head: string[];
  readonly requestId: string | undefined;
  readonly text: string;
}

async function get(
  path: string,
  options: { method?: string; headers?: object; of?: TestService | undefined } = {},
) {
  const { method = 'GET', headers = {}, of = service } = options;
  const authorization = `Bearer ${of.key}`;
  return await new Promise<Received>((resolve, reject) => {
    send(of.url + path, { method, headers: { authorization, ...headers } }, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      const head = response.rawHeaders.flatMap((name, index, all) =>
        index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : [],
      );
      const requestId = head.find((line) => line.startsWith('X-Request-Id: '));
      const same = head.filter((line) => !/^(X-Request-Id|Date): /.test(line)).sort();
      resolve({ status: response.statusCode, head: same, requestId, text });
    })
      .on('error', reject)
      .end();
  });
}

/** Asks twice, after which a response that may be cached is. Returns the first. */
async function warm(path: string, of?: TestService): Promise<Received> {
  const first = await get(path, { of });
  await get(path, { of });
  return first;
}

describe('a response that is cached', () => {
  it.each(['/pets', '/pets?limit=7', '/pets?status=available&limit=3', '/pets/7'])(
    '%s is as it was the first time, field for field',
    async (path) => {
      const first = await warm(path);
      const cached = await get(path);
      expect(first.status).toBe(200);
      expect(cached).toEqual({ ...first, requestId: cached.requestId });
      expect(cached.requestId).not.toBe(first.requestId);
    },
  );

  it('still has the request id that was sent, and a length without a body for HEAD', async () => {
    const whole = await warm('/pets?limit=2');
    const again = await get('/pets?limit=2', { headers: { 'X-Request-Id': 'mine-1' } });
    expect(again.requestId).toBe('X-Request-Id: mine-1');
    expect(await get('/pets?limit=2', { method: 'HEAD' })).toMatchObject({
      status: 200,
      text: '',
      head: whole.head,
    });
  });

  it('still needs a key, and one that is valid', async () => {
    await warm('/pets?limit=4');
    await warm('/pets/4');
    for (const path of ['/pets?limit=4', '/pets/4']) {
      expect((await get(path, { headers: { authorization: '' } })).status).toBe(401);
      expect((await get(path, { headers: { authorization: 'Bearer pst_x' } })).status).toBe(401);
    }
  });

  it('is never the last page, which may grow', async () => {
    const own = await startService({ pets: pets.slice(0, 2) });
    onTestFinished(own.close);
    const before = await warm('/pets?limit=2', own);
    await own.store.addPets([{ pet: { name: 'New', categoryId: 1n, status: 'sold' } }], new Date());
    const after = await get('/pets?limit=2', { of: own });
    expect(before.head.filter((line) => line.startsWith('Link'))).toEqual([]);
    expect(after.head.filter((line) => line.startsWith('Link'))).toHaveLength(1);
    expect(after.text).toBe(before.text);
  });

  it('is not sent from the instant of its removal on', async () => {
    let now = new Date('2030-12-04T23:59:59Z');
    const own = await startService({ pets, overrides: { now: () => now } });
    onTestFinished(own.close);
    expect((await warm('/pets/1', own)).status).toBe(200);
    expect((await get('/pets/1', { of: own })).status).toBe(200);
    now = new Date('2030-12-05T00:00:00Z');
    expect((await get('/pets/1', { of: own })).status).toBe(410);
  });

  it('is counted', async () => {
    const own = await startService({ pets, overrides: { metricsPort: 0 } });
    onTestFinished(own.close);
    for (const path of ['/pets?limit=3', '/pets?limit=3', '/pets?limit=3'])
      await get(path, { of: own });
    for (const path of ['/pets/1', '/pets/1', '/pets/1']) await get(path, { of: own });
    const metrics = await (await fetch(own.metricsUrl ?? '')).text();
    expect(metrics).toMatch(/^petstore_responses_total\{operation="listPets",status="200"\} 3$/m);
    expect(metrics).toMatch(/^petstore_responses_total\{operation="getPet",status="200"\} 3$/m);
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import type { NewPet } from '../../../src/contract/pet.ts';
import { call, expectFailure, post } from '../../support/http.ts';
import { startService } from '../../support/service.ts';

/** 45 pets: every third is sold. */
const pets: NewPet[] = Array.from({ length: 45 }, (_, index) => ({
  name: `Pet ${index + 1}`,
  categoryId: BigInt(index),
  status: index % 3 === 2 ? 'sold' : 'available',
}));

const service = await startService({ pets });
afterAll(service.close);

async function ids(path: string): Promise<number[]> {
  const { status, text } = await call(service, path);
  expect(status).toBe(200);
  return JSON.parse(text).map((pet: { id: number }) => pet.id);
}

/** The next page as a path, by the Link field resolved against the request as RFC 8288 has it. */
async function findNext(path: string): Promise<string | undefined> {
  const link = (await call(service, path)).headers.get('link');
  const reference = link && /^<([^>]*)>; rel="next"$/.exec(link)?.[1];
  if (!reference) return undefined;
  return new URL(reference, service.url + path).href.slice(service.url.length);
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('listPets (4.1)', () => {
  it('responds 200 with a bare array of pets, in the contract’s shape', async () => {
    const response = await call(service, '/pets?limit=1');
    expect(response).toMatchObject({
      status: 200,
      text: '[{"id":1,"name":"Pet 1","categoryId":0,"status":"available"}]',
    });
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  it('gives 20 without a limit, ascending by id', async () => {
    expect(await ids('/pets')).toEqual(range(1, 20));
  });

  it.each([1, 2, 44, 45, 100])('gives at most %i when asked for so many', async (limit) => {
    expect(await ids(`/pets?limit=${limit}`)).toEqual(range(1, Math.min(limit, 45)));
  });

  it.each([
    ['sold', 15],
    ['available', 30],
    ['pending', 0],
  ])('gives only pets that are %s', async (status, count) => {
    const { body } = await call(service, `/pets?limit=100&status=${status}`);
    expect(body).toHaveLength(count);
    expect(body).toEqual(Array.from({ length: count }, () => expect.objectContaining({ status })));
  });

  it('leads from page to page by rel="next" until the last, nothing twice, nothing left out', async () => {
    const seen: number[] = [];
    let pages = 0;
    for (let path: string | undefined = '/pets'; path; path = await findNext(path)) {
      seen.push(...(await ids(path)));
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(seen).toEqual(range(1, 45));
  });

  it('keeps limit and status in the next link', async () => {
    const next = await findNext('/pets?status=sold&limit=7');
    expect(next).toMatch(/^\/pets\?limit=7&status=sold&cursor=/);
    expect(await ids(next ?? '')).toEqual([24, 27, 30, 33, 36, 39, 42]);
  });

  it.each([
    '/pets?limit=45',
    '/pets?limit=100',
    '/pets?limit=15&status=sold',
    '/pets?status=pending',
  ])('%s is the last page and says so by having no next link', async (path) => {
    expect(await findNext(path)).toBeUndefined();
  });

  it.each([
    ['limit=0', /^limit: .*1 to 100/],
    ['limit=101', /^limit: .*1 to 100/],
    ['limit=-1', /^limit: /],
    ['limit=', /^limit: /],
    ['limit=1.0', /^limit: /],
    ['limit=1e1', /^limit: /],
    ['limit=+1', /^limit: /],
    ['limit=01', /^limit: /],
    ['limit=ten', /^limit: /],
    ['limit=9223372036854775808', /^limit: /],
    ['limit=1&limit=2', /^limit: /],
    ['limit[]=1', /^limit\[\]: is not a parameter/],
    ['status=Sold', /^status: must be one of available, pending, sold/],
    ['status=', /^status: /],
    ['status=sold,available', /^status: /],
    ['status=sold&status=sold', /^status: /],
    ['status=%zz', /^status: /],
    ['offset=1', /^offset: is not a parameter/],
    ['Limit=1', /^Limit: is not a parameter/],
    ['__proto__=1', /^__proto__: is not a parameter/],
    ['cursor=', /^cursor: must be a cursor/],
    ['cursor=1', /^cursor: /],
    ['cursor=YWZ0ZXIgLTE', /^cursor: /],
    ['cursor=YWZ0ZXIgMg%3D%3D', /^cursor: /],
    // `after 02`, `after 9223372036854775808`, and `after 1` with bits behind it that decoding ignores.
    ['cursor=YWZ0ZXIgMDI', /^cursor: /],
    ['cursor=YWZ0ZXIgOTIyMzM3MjAzNjg1NDc3NTgwOA', /^cursor: /],
    ['cursor=YWZ0ZXIgMR', /^cursor: /],
    ['cursor=a&cursor=b', /^cursor: /],
    [`${'a=1&'.repeat(1100)}limit=0`, /^limit: .*a: is not a parameter/],
  ])('400 for ?%s, naming the parameter and what is allowed', async (query, message) => {
    const response = await call(service, `/pets?${query}`);
    expectFailure(response, 400, 'invalid_request');
    expect(response.body).toMatchObject({ message: expect.stringMatching(message) });
  });

  it('takes a parameter however its letters are encoded', async () => {
    expect(await ids('/pets?%6Cimit=%31&')).toEqual([1]);
  });

  it('shows on the last page what was added since, also where it was full before', async () => {
    const own = await startService({ pets: pets.slice(0, 2) });
    const list = async () => {
      const { text, headers } = await call(own, '/pets?limit=2');
      return { count: JSON.parse(text).length, isLast: !headers.has('link') };
    };
    expect(await list()).toEqual({ count: 2, isLast: true });
    await post(own, '{"name":"Late","categoryId":1}');
    expect(await list()).toEqual({ count: 2, isLast: false });
    expect(await list()).toEqual({ count: 2, isLast: false });
    expect((await call(own, '/pets?limit=3')).text).toContain('Late');
    await own.close();
  });

  it('HEAD responds as GET without the body', async () => {
    const [get, head] = await Promise.all([
      call(service, '/pets?limit=2'),
      call(service, '/pets?limit=2', { method: 'HEAD' }),
    ]);
    expect(head).toMatchObject({ status: 200, text: '' });
    for (const name of ['link', 'content-type', 'content-length', 'petstore-idempotency'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  });
});

import { describe, expect, it } from 'vitest';
import { jsonResponse } from '../../../src/service/http/response.ts';
import {
  createResponseCache,
  createResponseCaches,
} from '../../../src/service/http/response-cache.ts';

const response = (size: number) => jsonResponse(200, 'x'.repeat(size));

type Cache = ReturnType<typeof createResponseCache>;

/** As for a URL that is asked for a second time. */
function storeTwice(cache: Cache, url: string, one: ReturnType<typeof response>): void {
  cache.store(url, one);
  cache.store(url, one);
}

describe('cached responses', () => {
  it('are found again by their URL alone', () => {
    const cache = createResponseCache(100_000);
    const one = response(10);
    storeTwice(cache, '/one', one);
    expect(cache.find('/one')).toBe(one);
    expect(cache.find('/two')).toBeUndefined();
  });

  it('are those to a URL that was asked for before: the first time only the URL is noted', () => {
    const cache = createResponseCache(100_000);
    const [first, second] = [response(10), response(20)];
    cache.store('/one', first);
    expect(cache.find('/one')).toBeUndefined();
    cache.store('/one', second);
    expect(cache.find('/one')).toBe(second);
  });

  it('stay within their bytes, however many are stored', () => {
    const cache = createResponseCache(100_000);
    const urls = Array.from({ length: 1_000 }, (_, index) => `/${index}`);
    for (const url of urls) storeTwice(cache, url, response(1_000));
    const found = urls.filter((url) => cache.find(url));
    expect(found.length).toBeLessThanOrEqual(100);
    expect(found.length).toBeGreaterThanOrEqual(25);
    expect(found.at(-1)).toBe('/999');
  });

  it('stay while they are asked for, and others leave', () => {
    const cache = createResponseCache(100_000);
    storeTwice(cache, '/often', response(1_000));
    for (let index = 0; index < 1_000; index += 1) {
      storeTwice(cache, `/${index}`, response(1_000));
      expect(cache.find('/often')).toBeDefined();
    }
    expect(cache.find('/0')).toBeUndefined();
  });

  it('do not take what is larger than all they may hold', () => {
    const cache = createResponseCache(1_000);
    storeTwice(cache, '/large', response(2_000));
    expect(cache.find('/large')).toBeUndefined();
    const none = createResponseCache(0);
    storeTwice(none, '/small', response(1));
    expect(none.find('/small')).toBeUndefined();
  });

  /** Each takes a thousand bytes, with what an entry costs; numbers have one digit. */
  const storeAll = (cache: Cache, numbers: readonly number[]) => {
    for (const number of numbers) storeTwice(cache, `/${number}`, response(1_000 - 700 - 2));
  };
  const areFound = (cache: Cache, numbers: readonly number[]) =>
    numbers.map((number) => cache.find(`/${number}`) !== undefined);

  it('leave by the half, those that were not asked for since', () => {
    const cache = createResponseCache(6_000);
    storeAll(cache, [1, 2, 3, 4, 5, 6]);
    expect(areFound(cache, [6, 5, 4])).toEqual([true, true, true]);
    storeAll(cache, [7]);
    expect(areFound(cache, [1, 2, 3, 7, 6, 5])).toEqual([false, false, false, true, true, true]);
    storeAll(cache, [8]);
    expect(areFound(cache, [4, 8, 7, 6, 5])).toEqual([false, true, true, true, true]);
  });

  /** Each takes a thousand bytes or little more. */
  const noteOthers = (cache: Cache, count: number) => {
    for (let index = 0; index < count; index += 1) cache.store(`/other/${index}`, response(293));
  };

  it('are noted by their URL until others that fill the cache were requested', () => {
    const one = response(298);
    const cache = createResponseCache(100_000);
    cache.store('/1', one);
    noteOthers(cache, 95);
    cache.store('/1', one);
    expect(areFound(cache, [1])).toEqual([true]);
    cache.store('/2', one);
    noteOthers(cache, 100);
    cache.store('/2', one);
    expect(areFound(cache, [2])).toEqual([false]);
  });

  it.each([700, 20_000])('are none of %d requested in turn of which 585 fit in', (count) => {
    const cache = createResponseCache(1_000_000);
    const ids = Array.from({ length: count }, (_, index) => index);
    for (let round = 0; round < 3; round += 1)
      for (const id of ids) cache.store(`/${id}`, response(1_000));
    expect(areFound(cache, ids).filter(Boolean)).toEqual([]);
  });

  it('are noted the same when the steps have started over, twice', () => {
    const cache = createResponseCache(50_000);
    // 256 times what fits in, and as much again.
    for (let sent = 0; sent < 2.2 * 256 * 50_000; sent += 55_000) {
      const url = `/${sent}/again`;
      cache.store(url, response(200));
      noteOthers(cache, 54);
      cache.store(url, response(200));
      expect(cache.find(url)).toBeUndefined();
      cache.store(url, response(200));
      expect(cache.find(url)).toBeDefined();
    }
  });

  it('are nearly all cached when thousands are asked for in turn', () => {
    const cache = createResponseCache(64 * 1024 * 1024);
    const ids = Array.from({ length: 13_000 }, (_, index) => index);
    for (let round = 0; round < 2; round += 1)
      for (const id of ids) cache.store(`/${id}`, response(200));
    expect(areFound(cache, ids).filter(Boolean).length).toBeGreaterThan(0.98 * ids.length);
  });

  it('stay while somebody else asks for many pages once each', () => {
    const cache = createResponseCache(1_000_000);
    const often = Array.from({ length: 100 }, (_, index) => `/often/${index}`);
    for (const url of often) storeTwice(cache, url, response(2_000));
    for (let index = 0; index < 3_000; index += 1) cache.store(`/once/${index}`, response(7_000));
    expect(often.filter((url) => cache.find(url) === undefined)).toEqual([]);
  });

  it('stay while somebody else asks for more pages than fit in, again and again', () => {
    const cache = createResponseCache(1_000_000);
    const often = Array.from({ length: 100 }, (_, index) => `/often/${index}`);
    for (const url of often) storeTwice(cache, url, response(2_000));
    for (let index = 0; index < 3_000; index += 1)
      cache.store(`/in-turn/${index % 300}`, response(7_000));
    expect(often.filter((url) => cache.find(url) === undefined)).toEqual([]);
  });

  it('take half of the bytes at most for one of them', () => {
    const cache = createResponseCache(2_000);
    storeAll(cache, [1]);
    storeTwice(cache, '/2', response(299));
    expect(areFound(cache, [1, 2])).toEqual([true, false]);
  });

  it('are gone when they are cleared, which leaves room for as many as at first', () => {
    const cache = createResponseCache(6_000);
    storeAll(cache, [1, 2, 3, 4, 5]);
    cache.clear();
    expect(areFound(cache, [1, 5])).toEqual([false, false]);
    cache.store('/5', response(200));
    expect(areFound(cache, [5])).toEqual([false]);
    storeAll(cache, [1, 2, 3, 4, 5]);
    expect(areFound(cache, [4, 5, 1])).toEqual([true, true, true]);
  });

  it('are cleared of pages and pets alike', () => {
    const { pages, pets, clear } = createResponseCaches();
    for (const cache of [pages, pets]) {
      storeAll(cache, [1]);
      expect(areFound(cache, [1])).toEqual([true]);
    }
    clear();
    expect([pages, pets].map((cache) => cache.find('/1'))).toEqual([undefined, undefined]);
  });
});

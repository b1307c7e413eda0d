import { describe, expect, it } from 'vitest';
import { jsonResponse } from '../../../src/service/http/response.ts';
import { createResponseCache } from '../../../src/service/http/response-cache.ts';

const response = (size: number) => jsonResponse(200, 'x'.repeat(size));

describe('cached responses', () => {
  it('are found again by their URL alone', () => {
    const cache = createResponseCache(100_000);
    const one = response(10);
    cache.store('/one', one);
    expect(cache.find('/one')).toBe(one);
    expect(cache.find('/two')).toBeUndefined();
  });

  it('stay within their bytes, however many are stored', () => {
    const cache = createResponseCache(100_000);
    const urls = Array.from({ length: 1_000 }, (_, index) => `/${index}`);
    for (const url of urls) cache.store(url, response(1_000));
    const found = urls.filter((url) => cache.find(url));
    expect(found.length).toBeLessThanOrEqual(100);
    expect(found.length).toBeGreaterThanOrEqual(30);
    expect(found.at(-1)).toBe('/999');
  });

  it('stay while they are asked for, and others leave', () => {
    const cache = createResponseCache(100_000);
    cache.store('/often', response(1_000));
    for (let index = 0; index < 1_000; index += 1) {
      cache.store(`/${index}`, response(1_000));
      expect(cache.find('/often')).toBeDefined();
    }
    expect(cache.find('/0')).toBeUndefined();
  });

  it('do not take what is larger than all they may hold', () => {
    const cache = createResponseCache(1_000);
    cache.store('/large', response(2_000));
    expect(cache.find('/large')).toBeUndefined();
    const none = createResponseCache(0);
    none.store('/small', response(1));
    expect(none.find('/small')).toBeUndefined();
  });
});

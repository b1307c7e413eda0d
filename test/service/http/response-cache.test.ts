import { describe, expect, it } from 'vitest';
import { createKeptAnswers, makeAnswer } from '../../../src/service/http/response-cache.ts';

const answer = (size: number) => makeAnswer('x'.repeat(size), []);

describe('kept answers', () => {
  it('are found again by their URL alone', () => {
    const kept = createKeptAnswers(100_000);
    const one = answer(10);
    kept.keep('/one', one);
    expect(kept.find('/one')).toBe(one);
    expect(kept.find('/two')).toBeUndefined();
  });

  it('stay within their bytes, however many are kept', () => {
    const kept = createKeptAnswers(100_000);
    const urls = Array.from({ length: 1_000 }, (_, index) => `/${index}`);
    for (const url of urls) kept.keep(url, answer(1_000));
    const found = urls.filter((url) => kept.find(url));
    expect(found.length).toBeLessThanOrEqual(100);
    expect(found.length).toBeGreaterThanOrEqual(30);
    expect(found.at(-1)).toBe('/999');
  });

  it('stay when they are asked for, while others leave', () => {
    const kept = createKeptAnswers(100_000);
    kept.keep('/often', answer(1_000));
    for (let index = 0; index < 1_000; index += 1) {
      kept.keep(`/${index}`, answer(1_000));
      expect(kept.find('/often')).toBeDefined();
    }
    expect(kept.find('/0')).toBeUndefined();
  });

  it('do not take what is larger than all they may hold', () => {
    const kept = createKeptAnswers(1_000);
    kept.keep('/large', answer(2_000));
    expect(kept.find('/large')).toBeUndefined();
    const none = createKeptAnswers(0);
    none.keep('/small', answer(1));
    expect(none.find('/small')).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { didYouMean } from '../src/errors.ts';

const environments = ['production', 'staging', 'till-3'];

describe('did you mean', () => {
  it.each([
    ['stagign', ' Did you mean staging?'],
    ['prod', ' Did you mean production?'],
    ['Production', ' Did you mean production?'],
    ['tll-3', ' Did you mean till-3?'],
    ['till3', ' Did you mean till-3?'],
    ['xyz', ''],
    ['', ''],
  ])('%j', (word, suggestion) => {
    expect(didYouMean(word, environments)).toBe(suggestion);
  });

  it('takes the nearest of several', () => {
    expect(didYouMean('jsn', ['ndjson', 'json', 'csv'])).toBe(' Did you mean json?');
  });
});

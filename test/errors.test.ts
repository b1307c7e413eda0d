import { expect, it } from 'vitest';
import { didYouMean } from '../src/errors.ts';

const environments = ['production', 'staging', 'staging-eu'];

it.each([
  ['prod', ' Did you mean production?'],
  ['prodution', ' Did you mean production?'],
  ['Staging', ' Did you mean staging?'],
  ['stagign', ' Did you mean staging?'],
  ['staging-', ' Did you mean staging-eu?'],
  ['stag', ''],
  ['test', ''],
  ['', ''],
])('%j is taken for%s', (word, suggestion) => {
  expect(didYouMean(word, environments)).toBe(suggestion);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from '../../src/config/base-url.ts';
import { UserError } from '../../src/errors.ts';

it.each([
  ['pets.test', 'https://pets.test/v1'],
  ['  pets.test/  ', 'https://pets.test/v1'],
  ['PETS.test/v1/', 'https://pets.test/v1'],
  ['pets.test.', 'https://pets.test/v1'],
  ['pets.test:8443', 'https://pets.test:8443/v1'],
  ['https://pets.test/store', 'https://pets.test/store/v1'],
  ['https://pets.test/store/v1//', 'https://pets.test/store/v1'],
  ['localhost:8080', 'http://localhost:8080/v1'],
  ['localhost:443', 'http://localhost:443/v1'],
  ['127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
  ['[::1]:8080', 'http://[::1]:8080/v1'],
  ['http://localhost:8080/v1', 'http://localhost:8080/v1'],
  ['https://localhost:8443', 'https://localhost:8443/v1'],
  ['10.0.0.7', 'https://10.0.0.7/v1'],
])('%j is the address %s', (typed, url) => {
  expect(parseBaseUrl(typed).href).toBe(url);
});

describe('refused, in words', () => {
  it.each([
    ['', 'it is not a web address'],
    ['my store', 'it is not a web address'],
    ['https://', 'it is not a web address'],
    ['ftp://pets.test', 'it must begin with https://'],
    ['postgres://pets.test/v1', 'it must begin with https://'],
    ['http://pets.test', 'use https'],
    ['http://10.0.0.7:8080', 'use https'],
    ['http://127.0.0.1.evil.test', 'use https'],
    ['https://pets.test/v1?limit=2', 'must not contain a ? or #'],
    ['https://pets.test/v1#top', 'must not contain a ? or #'],
    ['https://pets.example.com/v1', 'only an example'],
    ['example.com', 'only an example'],
    ["'https://pets.test'", 'quotation marks'],
    ['"https://pets.test"', 'quotation marks'],
    ['"pets.test"', 'quotation marks'],
  ])('%j: %s', (typed, reason) => {
    expect(() => parseBaseUrl(typed)).toThrow(reason);
  });

  it('without a password or a token that was in it', () => {
    const typed = [
      'https://till:Sesame9@pets.test/v1',
      'till:Sesame9@pets.test',
      'Sesame9@ x',
      "'https://till:Sesame9@pets.test'",
      'https://pets.test/?key=Sesame9',
      'https://pets.test/#Sesame9',
    ];
    for (const text of typed) {
      expect(readMessage(text)).toMatch(/^The address cannot be used: (?!.*Sesame9)/);
    }
  });
});

it('what it returns it takes again, unchanged, and it throws nothing but words', () => {
  const url = fc.webUrl({ withFragments: true, withQueryParameters: true });
  const bare = url.map((text) => text.replace(/^https?:\/\//, ''));
  const text = fc.oneof(fc.string(), url, bare);
  fc.assert(
    fc.property(text, (typed) => {
      try {
        const url = parseBaseUrl(typed);
        return parseBaseUrl(url.href).href === url.href && url.pathname.endsWith('/v1');
      } catch (error) {
        return error instanceof UserError;
      }
    }),
  );
});

function readMessage(text: string): string {
  try {
    return parseBaseUrl(text).href;
  } catch (error) {
    return error instanceof UserError ? error.message : String(error);
  }
}

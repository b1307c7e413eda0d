import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isSameBaseUrl,
  parseBaseUrl,
  parseOwnUrl,
} from '../../../src/config/environments/base-url.ts';

describe('the base URL of an environment', () => {
  it.each([
    ['https://pets.example.com/v1', 'https://pets.example.com/v1'],
    ['https://pets.example.com/v1/', 'https://pets.example.com/v1'],
    ['https://pets.example.com:8443/shop/v1', 'https://pets.example.com:8443/shop/v1'],
    ['HTTPS://Pets.Example.com/v1', 'https://pets.example.com/v1'],
    ['http://localhost:8080/v1', 'http://localhost:8080/v1'],
    ['http://127.0.0.1/v1', 'http://127.0.0.1/v1'],
    ['http://127.1.2.3:80/v1', 'http://127.1.2.3/v1'],
    ['http://[::1]:8080/v1', 'http://[::1]:8080/v1'],
  ])('%s is taken', (text, url) => {
    expect(parseBaseUrl(text)).toBe(url);
  });

  it.each([
    ['http://pets.example.com/v1', 'plain http'],
    ['http://localhost.example.com/v1', 'plain http'],
    ['http://127.0.0.1.example.com/v1', 'plain http'],
    ['http://0.0.0.0/v1', 'plain http'],
    ['http://[::2]/v1', 'plain http'],
    ['ftp://pets.example.com/v1', 'it must begin with https://'],
    ['file:///v1', 'it must begin with https://'],
    ['https://pets.example.com', 'it must end in /v1'],
    ['https://pets.example.com/v2', 'it must end in /v1'],
    ['https://pets.example.com/v1/pets', 'it must end in /v1'],
    ['https://pets.example.com/xv1', 'it must end in /v1'],
    ['https://pets.example.com/v1?key=1', 'a query'],
    ['https://pets.example.com/v1?', 'a query'],
    ['https://pets.example.com/v1#', 'a fragment'],
    ['https://ann@pets.example.com/v1', 'a user name'],
    ['https://ann:secret@pets.example.com/v1', 'a user name'],
    ['pets.example.com/v1', 'not a URL'],
    ['//pets.example.com/v1', 'not a URL'],
    ['', 'not a URL'],
  ])('%j is refused', (text, reason) => {
    expect(() => parseBaseUrl(text)).toThrow(reason);
  });

  it.each(['https://ann:secret@pets.example.com/v1', 'https://x/v1?key=secret', 'ann:secret@x'])(
    'a secret in %s is not repeated',
    (text) => {
      expect(() => parseBaseUrl(text)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('secret') }),
      );
    },
  );

  it('every accepted URL is https or loopback, and accepted again as it is', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
        try {
          const url = parseBaseUrl(text);
          expect(parseBaseUrl(url)).toBe(url);
          expect(url).toMatch(/^https:\/\/|^http:\/\/(localhost|127\.|\[::1\])/);
        } catch (error) {
          expect(error).toMatchObject({ code: 'cli_invalid_config' });
        }
      }),
    );
  });
});

describe('two base URLs are of one service', () => {
  it.each([
    ['https://pets.example.com/v1', 'https://PETS.example.com.:443/v1/', true],
    ['https://pets.example.com/shop/v1', 'https://pets.example.com//sh%6fp/v1', true],
    ['https://pets.example.com/%zz/v1', 'https://pets.example.com/%zz/v1', true],
    ['https://pets.example.com/%zz/shop/v1', 'https://pets.example.com/%zz/sh%6Fp/v1', true],
    ['https://pets.example.com/%ff/v1', 'https://pets.example.com/%FF/v1', true],
    ['https://pets.example.com/v1', 'https://pets.example.com:8443/v1', false],
    ['https://pets.example.com/v1', 'https://pets.example.com/shop/v1', false],
    ['http://localhost/v1', 'http://127.0.0.1/v1', false],
    ['', '', false],
  ])('%s and %s: %s', (one, other, isSame) => {
    expect(isSameBaseUrl(one, other)).toBe(isSame);
  });

  it('when they are written alike, whatever they are', () => {
    fc.assert(
      fc.property(fc.string(), (folder) => {
        const url = `https://pets.example.com/${folder}/v1`;
        let isBaseUrl = true;
        try {
          parseBaseUrl(url);
        } catch {
          isBaseUrl = false;
        }
        expect(isSameBaseUrl(url, url)).toBe(isBaseUrl);
      }),
    );
  });
});

describe('the URL of an example', () => {
  it.each(['https://pets.example.com/v1', 'https://example.net/v1', 'https://a.b.example.org/v1'])(
    '%s is refused where one is set',
    (url) => {
      expect(() => parseOwnUrl(url)).toThrow(
        expect.objectContaining({
          code: 'cli_invalid_config',
          message: `${url} is only an example`,
          details: ['use the URL of your own service; whoever runs it knows it'],
        }),
      );
    },
  );

  it.each([
    'https://myexample.com/v1',
    'https://example.com.shop.test/v1',
    'https://example.de/v1',
    'http://localhost:8080/v1',
  ])('%s is none', (url) => {
    expect(parseOwnUrl(`${url}/`)).toBe(url);
  });
});

it.each([
  ['https://ann:secret@pets.test/v1', 'https://pets.test/v1', 'user name or password'],
  ['https://pets.test/v1?a=b#c', 'https://pets.test/v1?…#c', 'a query'],
  ['https://pets.test/v1?', 'https://pets.test/v1?…', 'a query'],
  ['http://pets.test/v1?a=b', 'http://pets.test/v1?…', 'plain http'],
  ['ftp://ann@pets.test/v1', '(not shown)', 'begin with https://'],
  ['shttp://ann@pets.test/v1', '(not shown)', 'begin with https://'],
  ['ftp://pets.test/v1', '"ftp://pets.test/v1"', 'begin with https://'],
  ['no URL', '"no URL"', 'it is not a URL'],
])('%s is refused as %s', (text, shown, problem) => {
  expect(() => parseBaseUrl(text)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(
        new RegExp(`^The URL ${shown.replace(/[?()]/g, '\\$&')} cannot be used: .*${problem}`),
      ),
      details: ['a base URL looks like https://pets.example.com/v1'],
    }),
  );
});

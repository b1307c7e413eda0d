import { describe, expect, it } from 'vitest';
import { findProxy, stripCredentials } from '../../../src/config/settings/proxy.ts';

const url = 'https://pets.example.com/v1';
const proxy = 'http://proxy.example.com:3128';
const readValue = (variables: Record<string, string>, baseUrl = url) =>
  findProxy(variables, baseUrl).setting.value;

it.each([
  ['a URL', { HTTPS_PROXY: proxy }],
  ['a host and port', { HTTPS_PROXY: 'proxy.example.com:3128' }],
  ['the lower-case form, which wins', { https_proxy: proxy, HTTPS_PROXY: 'http://other' }],
  ['the other form when the lower-case one is empty', { https_proxy: '', HTTPS_PROXY: proxy }],
])('the proxy is taken from %s', (_, variables) => {
  expect(readValue(variables)).toBe(proxy);
});

it.each([
  ['HTTP_PROXY, because http is for this machine only', { HTTP_PROXY: proxy }, url],
  ['any variable for this machine itself', { HTTPS_PROXY: proxy }, 'http://127.0.0.1:8080/v1'],
  ['NO_PROXY alone', { NO_PROXY: '*' }, url],
])('no proxy is taken from %s', (_, variables, baseUrl) => {
  expect(readValue(variables, baseUrl)).toBeUndefined();
});

describe('NO_PROXY', () => {
  it.each([
    'pets.example.com',
    'PETS.example.com',
    'example.com',
    '.example.com',
    '*.example.com',
    'other.test, pets.example.com',
    'other.test pets.example.com:443',
    '*',
  ])('%s names the host', (NO_PROXY) => {
    const { setting } = findProxy({ HTTPS_PROXY: proxy, NO_PROXY }, url);
    expect(setting).toMatchObject({
      value: undefined,
      source: { kind: 'variable', name: 'NO_PROXY' },
      overridden: [{ value: proxy, source: { name: 'HTTPS_PROXY' } }, { value: undefined }],
    });
  });

  it.each(['ample.com', 'pets.example.com:8443', 'com.example', 'ets.example.com', ',', '.'])(
    '%s does not',
    (NO_PROXY) => {
      expect(readValue({ HTTPS_PROXY: proxy, NO_PROXY })).toBe(proxy);
    },
  );

  it('in lower case wins', () => {
    const variables = { HTTPS_PROXY: proxy, NO_PROXY: 'other.test', no_proxy: 'pets.example.com' };
    expect(readValue(variables)).toBeUndefined();
  });
});

describe('HTTP_PROXY is named as unused', () => {
  it.each([
    [{ HTTP_PROXY: proxy }, url, 'HTTP_PROXY'],
    [{ http_proxy: proxy }, url, 'http_proxy'],
    [{ HTTP_PROXY: proxy, http_proxy: proxy }, url, 'http_proxy'],
    [{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy }, url, undefined],
    [{ HTTP_PROXY: proxy }, 'http://localhost:8080/v1', undefined],
    [{}, url, undefined],
  ])('%j for %s: %s', (variables, baseUrl, unused) => {
    expect(findProxy(variables, baseUrl).unused).toBe(unused);
  });
});

it.each([
  ['http://ann:secret@:x', 'is not a URL'],
  ['ftp://ann:secret@proxy:21', 'is not an HTTP proxy'],
  ['socks5://ann:secret@proxy', 'is not an HTTP proxy'],
  ['shttp://ann:secret@proxy', 'is not an HTTP proxy'],
])('the proxy %s is refused by its own name, without its password', (https_proxy, problem) => {
  expect(() => findProxy({ https_proxy }, url)).toThrow(
    expect.objectContaining({
      code: 'cli_invalid_config',
      message: `The proxy in https_proxy ${problem}`,
      next: ['unset https_proxy'],
    }),
  );
});

it('a proxy is read by its own name, and explained with how one looks', () => {
  expect(() => findProxy({ HTTPS_PROXY: 'ftp://proxy' }, url)).toThrow(
    expect.objectContaining({
      message: 'The proxy in HTTPS_PROXY is not an HTTP proxy',
      details: ['a proxy looks like http://proxy.example.com:3128'],
    }),
  );
});

it.each([
  ['proxy.example.com:3128', 'http://proxy.example.com:3128'],
  ['HTTPS://proxy.example.com', 'HTTPS://proxy.example.com'],
  ['proxy.example.com', 'http://proxy.example.com'],
  ['proxy.example.com/?to=http://x', 'http://proxy.example.com/?to=http://x'],
])('the proxy %s is %s', (HTTPS_PROXY, value) => {
  expect(readValue({ HTTPS_PROXY })).toBe(value);
});

it('a proxy is found for what is not a URL yet, and for none', () => {
  const found = { value: proxy, source: { kind: 'variable', name: 'HTTPS_PROXY' } };
  for (const baseUrl of ['not a URL', undefined]) {
    const choice = findProxy({ HTTPS_PROXY: proxy, NO_PROXY: '*' }, baseUrl);
    expect(choice).toMatchObject({ setting: found, unused: undefined });
  }
});

it('of two variables the other one is overridden', () => {
  const variables = { https_proxy: proxy, HTTPS_PROXY: 'http://other' };
  expect(findProxy(variables, url).setting.overridden).toEqual([
    { value: 'http://other', source: { kind: 'variable', name: 'HTTPS_PROXY' } },
    { value: undefined, source: { kind: 'default' } },
  ]);
  expect(findProxy({ ...variables, no_proxy: '*' }, url).setting).toEqual({
    ...{ value: undefined, source: { kind: 'variable', name: 'no_proxy' } },
    overridden: [
      { value: proxy, source: { kind: 'variable', name: 'https_proxy' } },
      { value: 'http://other', source: { kind: 'variable', name: 'HTTPS_PROXY' } },
      { value: undefined, source: { kind: 'default' } },
    ],
  });
});

it('a proxy for this machine is none, also where one is unused', () => {
  expect(findProxy({ HTTPS_PROXY: proxy, HTTP_PROXY: proxy }, 'http://127.0.0.1/v1')).toEqual({
    ...{ setting: { value: undefined, source: { kind: 'default' }, overridden: [] } },
    unused: undefined,
  });
});

it('a host behind another port is named by its port alone', () => {
  const variables = { HTTPS_PROXY: proxy, NO_PROXY: 'pets.example.com:8443' };
  expect(readValue(variables, 'https://pets.example.com:8443/v1')).toBeUndefined();
  expect(readValue(variables, 'https://pets.example.com:8444/v1')).toBe(proxy);
});

it('user and password of a proxy are not shown', () => {
  expect(stripCredentials('http://ann:secret@proxy.example.com:3128/x')).toBe(
    'http://proxy.example.com:3128',
  );
});

it('hosts without a proxy say nothing where there is none', () => {
  expect(findProxy({ NO_PROXY: '*' }, url).setting).toEqual({
    ...{ value: undefined, source: { kind: 'default' }, overridden: [] },
  });
});

it.each([',', '.', ':443'])('%j names no host, also not one that ends in a dot', (NO_PROXY) => {
  const variables = { HTTPS_PROXY: proxy, NO_PROXY };
  expect(readValue(variables, 'https://pets.example.com./v1')).toBe(proxy);
});

import { expect, it } from 'vitest';
import { readProxySettings } from '../../../src/config/settings/network-settings.ts';

const url = 'https://pets.example.com/v1';
const proxy = 'http://proxy.example.com:3128';

it.each([
  ['a URL', { HTTPS_PROXY: proxy }, proxy],
  ['a host and port', { HTTPS_PROXY: 'proxy.example.com:3128' }, proxy],
  ['the lower-case form, which wins', { https_proxy: proxy, HTTPS_PROXY: 'http://other' }, proxy],
  [
    'the other form when the lower-case one is empty',
    { https_proxy: '', HTTPS_PROXY: proxy },
    proxy,
  ],
])('the proxy is taken from %s', (_, variables, httpsProxy) => {
  expect(readProxySettings(variables, url)).toEqual({ httpProxy: '', httpsProxy, noProxy: '' });
});

it.each([
  ['HTTP_PROXY, because http is for this machine only', { HTTP_PROXY: proxy }, url],
  ['any variable for this machine itself', { HTTPS_PROXY: proxy }, 'http://127.0.0.1:8080/v1'],
  ['NO_PROXY alone', { NO_PROXY: '*' }, url],
])('no proxy is taken from %s', (_, variables, baseUrl) => {
  expect(readProxySettings(variables, baseUrl)).toBeUndefined();
});

it('hosts without a proxy are passed on', () => {
  const variables = { HTTPS_PROXY: proxy, no_proxy: 'pets.example.com' };
  expect(readProxySettings(variables, url)?.noProxy).toBe('pets.example.com');
});

it('a proxy that is not a URL is refused by its own name, without its password', () => {
  const variables = { https_proxy: 'http://ann:secret@:x' };
  expect(() => readProxySettings(variables, url)).toThrow(
    expect.objectContaining({
      code: 'cli_invalid_config',
      message: 'The proxy in https_proxy is not a URL',
      next: ['unset https_proxy'],
    }),
  );
});

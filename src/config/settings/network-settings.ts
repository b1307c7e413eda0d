import { UserError } from '../../errors.ts';
import { isLoopback } from '../environments/base-url.ts';
import type { Variables } from '../files/paths.ts';

/** Proxies by URL, empty for none, and the hosts reached without one. */
export interface NetworkSettings {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

/**
 * What the usual variables say; undefined when there is no proxy. The lower-case form wins, as it does for curl.
 * @throws UserError `cli_invalid_config` when a proxy is no URL.
 */
export function readNetworkSettings(
  variables: Variables,
  baseUrl: string,
): NetworkSettings | undefined {
  const read = (name: string) => variables[name.toLowerCase()] || variables[name] || '';
  const httpProxy = parseProxy('HTTP_PROXY', read('HTTP_PROXY'));
  const httpsProxy = parseProxy('HTTPS_PROXY', read('HTTPS_PROXY'));
  const url = new URL(baseUrl);
  // A key sent in plain to this machine must not leave it on the way to a proxy.
  if ((httpProxy === '' && httpsProxy === '') || isLoopback(url)) return undefined;
  return { httpProxy, httpsProxy, noProxy: read('NO_PROXY') };
}

/** A host and port alone are taken for plain http to the proxy, as curl does. A proxy's password is not repeated. */
function parseProxy(name: string, text: string): string {
  if (text === '') return '';
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (URL.canParse(url)) return url;
  throw new UserError('cli_invalid_config', `The proxy in ${name} is not a URL`, {
    details: ['a proxy looks like http://proxy.example.com:3128'],
    next: [`unset ${name}`],
  });
}

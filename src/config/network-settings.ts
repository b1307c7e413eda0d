import { isLoopback } from './base-url.ts';
import type { Variables } from './paths.ts';

/** Proxies by URL, empty for none, and the hosts reached without one. */
export interface NetworkSettings {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

/** What the usual variables say; undefined when there is no proxy. The lower-case form wins, as it does for curl. */
export function readNetworkSettings(
  variables: Variables,
  baseUrl: string,
): NetworkSettings | undefined {
  const read = (name: string) => variables[name.toLowerCase()] || variables[name] || '';
  const httpProxy = read('HTTP_PROXY');
  const httpsProxy = read('HTTPS_PROXY');
  const url = new URL(baseUrl);
  // A key sent in plain to this machine must not leave it on the way to a proxy.
  if ((httpProxy === '' && httpsProxy === '') || isLoopback(url)) return undefined;
  return { httpProxy, httpsProxy, noProxy: read('NO_PROXY') };
}

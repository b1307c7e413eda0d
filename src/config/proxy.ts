import { UserError } from '../errors.ts';
import { isLoopback } from './base-url.ts';
import type { Variables } from './variables.ts';

/** The proxy on the way to a base URL, as the client takes it; undefined when there is none. @throws UserError when it is not an HTTP proxy's URL. */
export function findProxy(variables: Variables, baseUrl: URL) {
  // A key sent in plain to this computer must not leave it on the way to a proxy.
  if (isLoopback(baseUrl)) return undefined;
  const source = ['https_proxy', 'HTTPS_PROXY'].find((name) => variables[name]);
  if (source === undefined) return undefined;
  const noProxy = variables.no_proxy || variables.NO_PROXY || '';
  return { url: parseProxyUrl(variables[source] ?? '', source), noProxy, source };
}

/** A host and port alone mean plain http to the proxy, and a lone % itself. What does not parse is not quoted: it may hold a password. */
function parseProxyUrl(value: string, source: string): URL {
  const text = value.trim().replace(/%(?![0-9a-f]{2})/gi, '%25');
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
    // undici decodes user and password, and `%FF` is not UTF-8.
    decodeURIComponent(url.username + url.password);
    // A path means that the password has an unencoded slash.
    if (/^https?:$/.test(url.protocol) && url.pathname === '/') return url;
  } catch {}
  throw new UserError('cli_invalid_config', `The proxy in ${source} is not an HTTP proxy's URL.`, {
    details: [
      'a proxy looks like http://proxy.example.com:3128; write @ : / % in a password as %40 %3A %2F %25',
    ],
  });
}

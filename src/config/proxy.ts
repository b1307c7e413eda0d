import type { Variables } from './variables.ts';

/** The proxy to the service: its URL, perhaps with user and password, and the hosts that are reached without it. */
export interface Proxy {
  readonly url: URL;
  readonly noProxy: string;
  /** The variable that named it. */
  readonly source: string;
}

/** The proxy on the way to a base URL; undefined when there is none. @throws UserError when it is not an HTTP proxy's URL. */
export function findProxy(_variables: Variables, _baseUrl: URL): Proxy | undefined {
  throw new Error('not written yet');
}

import type { ClientOptions } from '../client/petstore-client.ts';
import { findAuthorities } from '../config/authorities.ts';
import { findProxy } from '../config/proxy.ts';
import type { Context } from './context.ts';
import { traceRequests } from './trace-requests.ts';

/** How this command line talks to the service at an address. */
export function readClientOptions(
  { options, variables, signal, terminal }: Context,
  baseUrl: URL,
  apiKey: string | undefined,
): ClientOptions {
  const { timeout, retries, verbose = 0 } = options;
  const observe = verbose > 0 ? traceRequests(terminal, verbose) : undefined;
  const proxy = findProxy(variables, baseUrl);
  if (baseUrl.protocol === 'https:') findAuthorities(variables);
  return { baseUrl, apiKey, signal, retries, observe, proxy, timeoutMs: timeout };
}

import { setFlagsFromString } from 'node:v8';
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Base from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { UserError } from '../errors.ts';
import type { ProxyOptions } from './request.ts';

// By its parts, because undici's index also loads fetch, WebSocket and more than a short command takes. The index adds
// these functions to every dispatcher: `request` for us, `connect` for its own agents of proxies.
Object.assign(Base.prototype, { connect, request });

// Node 20 compiles undici's HTTP parser a second time, to faster code, and its end waits for that.
if (process.version.startsWith('v20.')) setFlagsFromString('--liftoff-only');

export { Agent, EnvHttpProxyAgent, Pool };

/** A page of 100 pets has some 20 KB; a response this large is not the service's. In bytes. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

export type Dispatcher = Agent | EnvHttpProxyAgent;

/** A failure between this computer and the proxy, not between proxy and service. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

/** Connections to the service, through the proxy where there is one. Connecting takes 10 s at most, undici's default. */
export function openDispatcher(proxy: ProxyOptions | undefined): Dispatcher {
  if (!('WebAssembly' in globalThis)) {
    throw new UserError('cli_usage', 'Node.js was started without WebAssembly.', {
      details: ['requests need it; remove --jitless from NODE_OPTIONS'],
    });
  }
  const options = { maxResponseSize: MAX_RESPONSE_BYTES };
  if (proxy === undefined) return new Agent(options);
  const { url, noProxy } = proxy;
  // https alone goes through the proxy; an empty httpProxy keeps undici from reading the variables.
  const proxies = { httpProxy: '', httpsProxy: url.href, noProxy };
  return new EnvHttpProxyAgent({ ...options, ...proxies, clientFactory: openProxyPool });
}

/** undici connects again at once, and for ever, when a proxy closes the connection on CONNECT, unless the error is not its own. */
function openProxyPool(origin: URL, options: object): Pool {
  const pool = new Pool(origin, options);
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: (params: Parameters<typeof connect>[0]) =>
      connect(params).catch((cause) => {
        throw new ProxyError('the proxy failed', { cause });
      }),
  });
}

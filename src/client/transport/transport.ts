import type { Dispatcher } from 'undici';
import { dispatch } from './dispatch.ts';
import type { Limit, WireReply, WireRequest } from './wire.ts';

/** Proxies by URL, empty for none, and the hosts that are reached without one. */
interface ProxySettings {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

/** Carries requests. `onSend` is called when a connection stands and the request begins to leave. */
export interface Transport {
  send(request: WireRequest, limit: Limit, onSend: () => void): Promise<WireReply>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A page of 100 pets is some 20 KB; whatever is this large is not the service. */
const MAX_REPLY_BYTES = 16 * 1024 * 1024;

export interface TransportOptions {
  proxy: ProxySettings | undefined;
  /** In place of a real network: for tests of what no server can be made to do. */
  dispatcher?: Dispatcher | undefined;
}

/** A transport on undici, which is loaded with the first request. Redirects are not followed: a key stays with its origin. */
export function createTransport(options: TransportOptions): Transport {
  let opening: Promise<Dispatcher> | undefined;
  const openOnce = () => {
    opening ??= options.dispatcher
      ? Promise.resolve(options.dispatcher)
      : openDispatcher(options.proxy);
    return opening;
  };
  return {
    send: async (request, limit, onSend) => dispatch(await openOnce(), request, limit, onSend),
    async close() {
      if (options.dispatcher) return;
      // What could not be opened was reported by the request that needed it.
      const dispatcher = await opening?.catch(() => undefined);
      await dispatcher?.destroy();
    },
  };
}

async function openDispatcher(proxy: ProxySettings | undefined): Promise<Dispatcher> {
  const limits = { maxResponseSize: MAX_REPLY_BYTES, connect: { timeout: CONNECT_TIMEOUT_MS } };
  if (proxy === undefined) {
    const { Agent } = await import('./undici.ts');
    return new Agent(limits);
  }
  const { EnvHttpProxyAgent } = await import('./undici-proxy.ts');
  return new EnvHttpProxyAgent({ ...limits, ...proxy });
}

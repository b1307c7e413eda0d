import { createHttpTransport, loadHttp } from './http-transport.ts';
import type { Transport, TransportOptions } from './transport.ts';

/** Requests, one after the other, that Node's own client sends in less time than it takes to load undici. */
const FEW = 4;

/**
 * Sends the first requests by Node's own client, and all others, those through a proxy and those beside another one by
 * undici, which many requests need. Redirects are not followed: a key stays with its origin.
 */
export function createTransport(options: TransportOptions): Transport {
  const first = createHttpTransport();
  let opening: Promise<Transport> | undefined;
  let opened: Transport | undefined;
  let sent = needsUndici(options) ? FEW : 0;
  let inFlight = 0;
  const openUndici = async () => {
    opening ??= loadUndici().then((loaded) => loaded.createUndiciTransport(options));
    opened = await opening;
    return opened;
  };
  const sendFirst: Transport['send'] = async (...exchange) => {
    inFlight += 1;
    try {
      return await first.send(...exchange);
    } finally {
      inFlight -= 1;
    }
  };
  return {
    send(...exchange) {
      sent += 1;
      if (inFlight === 0 && sent <= FEW) return sendFirst(...exchange);
      // Without a promise of its own, which many requests would feel.
      return opened?.send(...exchange) ?? openUndici().then(({ send }) => send(...exchange));
    },
    async close() {
      // What could not be loaded was reported by the request that needed it.
      const opened = await opening?.catch(() => undefined);
      await Promise.all([first.close(), opened?.close()]);
    },
  };
}

/** Loads what the first request needs. */
export async function loadTransport(url: URL, options: TransportOptions): Promise<void> {
  if (needsUndici(options)) await loadUndici();
  else await loadHttp(url);
}

function needsUndici({ proxy, dispatcher }: TransportOptions): boolean {
  return proxy !== undefined || dispatcher !== undefined;
}

/** All of it at once, as one lazy module. */
async function loadUndici() {
  const [loaded] = await Promise.all([import('./undici-transport.ts'), import('./undici.ts')]);
  return loaded;
}

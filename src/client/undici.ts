import { channel } from 'node:diagnostics_channel';
import { isIP, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Base from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { headerNames } from '../contract/headers.ts';
import { ProxyError } from './network-failure.ts';
import type { ProxyOptions } from './request.ts';

// By its parts, because undici's index also loads fetch, WebSocket and more than a short command takes. The index adds
// these functions to every dispatcher: `request` for us, `connect` for its own agents of proxies.
Object.assign(Base.prototype, { connect, request });

// Node 20 compiles undici's HTTP parser a second time, to faster code, and its end waits for that.
if (process.version.startsWith('v20.')) setFlagsFromString('--liftoff-only');

/** A page of 100 pets has some 20 KB; a response this large is not the service's. In bytes. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

export interface Connections {
  readonly dispatcher: Agent | EnvHttpProxyAgent;
  destroy(): Promise<void>;
}

export function openConnections(proxy: ProxyOptions | undefined, timeoutMs: number): Connections {
  boundLookUps(timeoutMs);
  const { connector, destroySockets } = createConnector(timeoutMs);
  const options = { maxResponseSize: MAX_RESPONSE_BYTES, connect: connector };
  const dispatcher =
    proxy === undefined
      ? new Agent(options)
      : new EnvHttpProxyAgent({
          ...options,
          // https alone goes through the proxy; an empty httpProxy keeps undici from reading the variables.
          httpProxy: '',
          httpsProxy: proxy.url.href,
          noProxy: proxy.noProxy,
          requestTls: { timeout: timeoutMs },
          clientFactory: (origin) => openProxyPool(origin, connector, timeoutMs),
        });
  return {
    dispatcher,
    async destroy() {
      destroySockets();
      await dispatcher.destroy();
    },
  };
}

/** The default of glibc in milliseconds, for one name server: two attempts of 5 s. */
const LOOK_UP_MS = 10_000;

/** A look-up that has begun cannot be given up, and the process waits for it: on Linux its time can be bounded (resolv.conf(5)). */
function boundLookUps(timeoutMs: number): void {
  if (timeoutMs >= LOOK_UP_MS) return;
  process.env.RES_OPTIONS ??= `timeout:${Math.max(1, Math.floor(timeoutMs / 1000))} attempts:1`;
}

type Connector = ReturnType<typeof buildConnector>;

/** undici lets go of a request that is given up, but not of a socket that is still connecting, and the process waits for it. */
function createConnector(timeoutMs: number) {
  const sockets = new Set<Socket>();
  const open = buildConnector({ timeout: 0 });
  const connector: Connector = (options, callback) => {
    // undici takes a proxy's IP address for a name of TLS, which it may not be (RFC 6066, section 3): Node 26 refuses it.
    const isAddress = isIP(options.servername ?? '') > 0;
    const socket = open(isAddress ? { ...options, servername: '' } : options, (...result) => {
      clearTimeout(timer);
      callback(...result);
    });
    const timer = setTimeout(() => socket.destroy(createTimeout()), timeoutMs);
    sockets.add(socket);
    socket.once('close', () => {
      clearTimeout(timer);
      sockets.delete(socket);
    });
    return socket;
  };
  const destroySockets = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { connector, destroySockets };
}

function createTimeout(): Error {
  return Object.assign(new Error('the connection took too long'), { code: 'ETIMEDOUT' });
}

/** undici connects again at once, and for ever, when a proxy closes the connection on CONNECT, unless the error is not its own. */
function openProxyPool(origin: URL, connector: Connector, timeoutMs: number): Pool {
  const pool = new Pool(origin, { connect: connector });
  const sendConnect = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: (params: Parameters<typeof sendConnect>[0]) =>
      sendConnect({ ...params, signal: AbortSignal.timeout(timeoutMs) }).catch((cause) => {
        throw new ProxyError('the proxy failed', { cause });
      }),
  });
}

/**
 * Remembers which requests undici has started to write. The error's class does not show it: ECONNRESET is the same before a
 * connection stands, in a TLS handshake, and after the request. undici's diagnostics can.
 */
export function watchSending() {
  const sending = channel('undici:client:sendHeaders');
  const sent = new Set<string>();
  const listen = (message: unknown) => {
    if (typeof message !== 'object' || message === null || !('headers' in message)) return;
    const id = idPattern.exec(String(message.headers))?.[1];
    if (id !== undefined) sent.add(id);
  };
  sending.subscribe(listen);
  return {
    /** Whether the request with this `X-Request-Id` was sent; forgets it. */
    take: (id: string) => sent.delete(id),
    close: () => sending.unsubscribe(listen),
  };
}

const idPattern = new RegExp(`\\r\\n${headerNames.requestId}: (\\S+)`, 'i');

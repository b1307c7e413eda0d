import type { buildConnector, Dispatcher } from 'undici';
import { decodeBody } from './decode-body.ts';
import { MAX_RESPONSE_BYTES } from './network-error.ts';
import { skipContinue } from './skip-continue.ts';
import type {
  Deadline,
  HttpRequest,
  HttpResponse,
  ProxySettings,
  SendEvents,
  Transport,
  TransportOptions,
} from './transport.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** A transport on undici, which is loaded with the first request. Redirects are not followed: a key stays with its origin. */
export function createTransport(options: TransportOptions): Transport {
  let opening: Promise<Dispatcher> | undefined;
  const openOnce = ({ url }: HttpRequest) => {
    opening ??= options.dispatcher
      ? Promise.resolve(options.dispatcher)
      : openDispatcher(url, options.proxy);
    return opening;
  };
  return {
    send: async (request, deadline, events) =>
      dispatch(await openOnce(request), request, deadline, events),
    async close() {
      if (options.dispatcher) return;
      // What could not be opened was reported by the request that needed it.
      const dispatcher = await opening?.catch(() => undefined);
      // Nobody sees the error. Node formats the stack of one that destroys a socket, which takes long in a bundle.
      await dispatcher?.destroy(Object.assign(new Error('The client was closed.'), { stack: '' }));
    },
  };
}

async function openDispatcher(url: URL, proxy: ProxySettings | undefined): Promise<Dispatcher> {
  // undici needs it then, and in the program it loads faster before undici does: see scripts/bundle/lean-undici.cjs.
  if (url.protocol === 'https:') await import('node:tls');
  const { Agent, Pool, buildConnector } = await import('./undici.ts');
  const options = {
    maxResponseSize: MAX_RESPONSE_BYTES,
    connect: buildConnector({ timeout: CONNECT_TIMEOUT_MS }),
    // Of all connections, those through a proxy too.
    factory: (origin: string | URL, given: object) =>
      new Pool(origin, {
        ...given,
        ...(hasConnector(given) && { connect: skipContinue(given.connect) }),
      }),
  };
  if (proxy === undefined) return new Agent(options);
  const { EnvHttpProxyAgent } = await import('./undici-proxy.ts');
  return new EnvHttpProxyAgent({ ...options, ...proxy });
}

/** undici does not say what it passes on. */
function hasConnector(options: object): options is { connect: buildConnector.connector } {
  return 'connect' in options && typeof options.connect === 'function';
}

/** Uses undici's handler interface, because its `request` creates two streams per call, which slows down an import. */
function dispatch(
  dispatcher: Dispatcher,
  request: HttpRequest,
  deadline: Deadline,
  events: SendEvents,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const { handler, abort } = createHandler(resolve, reject, events);
    deadline.onEnd(abort);
    const { method, url, headers, body = null } = request;
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers,
        body,
        // The deadline bounds the attempt from end to end.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    );
  });
}

function createHandler(
  resolve: (response: HttpResponse) => void,
  reject: (error: unknown) => void,
  { onSend, onResponse }: SendEvents,
) {
  let controller: Dispatcher.DispatchController | undefined;
  let aborted: Error | undefined;
  let status = 0;
  let headers: HttpResponse['headers'] = {};
  const chunks: Buffer[] = [];
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started;
      if (aborted) started.abort(aborted);
      else onSend();
    },
    // Called again for the final response after an informational one (RFC 9110, section 15.2).
    onResponseStart(_, statusCode, received) {
      status = statusCode;
      headers = received;
      if (statusCode >= 200) onResponse({ status, headers });
    },
    onResponseData: (_, chunk) => void chunks.push(chunk),
    onResponseEnd: () => resolve({ status, headers, ...decodeBody(chunks) }),
    onResponseError: (_, error) => reject(error),
  };
  return {
    handler,
    /** Rejects at once, also before there is a connection; the request is then never sent. */
    abort(reason: Error): void {
      aborted = reason;
      controller?.abort(reason);
      reject(reason);
    },
  };
}

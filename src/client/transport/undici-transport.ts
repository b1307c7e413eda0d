import type { Dispatcher } from 'undici';
import { MAX_RESPONSE_BYTES } from './network-error.ts';
import type {
  Deadline,
  HttpRequest,
  HttpResponse,
  ProxySettings,
  Transport,
  TransportOptions,
} from './transport.ts';

const CONNECT_TIMEOUT_MS = 10_000;

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
    send: async (request, deadline, onSend) =>
      dispatch(await openOnce(), request, deadline, onSend),
    async close() {
      if (options.dispatcher) return;
      // What could not be opened was reported by the request that needed it.
      const dispatcher = await opening?.catch(() => undefined);
      await dispatcher?.destroy();
    },
  };
}

async function openDispatcher(proxy: ProxySettings | undefined): Promise<Dispatcher> {
  const limits = {
    maxResponseSize: MAX_RESPONSE_BYTES,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  };
  if (proxy === undefined) {
    const { Agent } = await import('./undici.ts');
    return new Agent(limits);
  }
  const { EnvHttpProxyAgent } = await import('./undici-proxy.ts');
  return new EnvHttpProxyAgent({ ...limits, ...proxy });
}

/** Uses undici's handler interface, because its `request` creates two streams per call, which slows down an import. */
function dispatch(
  dispatcher: Dispatcher,
  request: HttpRequest,
  deadline: Deadline,
  onSend: () => void,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const { handler, abort } = createHandler(resolve, reject, onSend);
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
  onSend: () => void,
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
    },
    onResponseData: (_, chunk) => void chunks.push(chunk),
    onResponseEnd: () => resolve({ status, headers, body: Buffer.concat(chunks).toString('utf8') }),
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

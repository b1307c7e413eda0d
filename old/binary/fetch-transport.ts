import { decodeBody } from '../src/client/transport/decode-body.ts';
import { describeNetworkError, MAX_RESPONSE_BYTES } from '../src/client/transport/network-error.ts';
import type {
  HttpRequest,
  HttpResponse,
  Transport,
  TransportOptions,
} from '../src/client/transport/transport.ts';

/**
 * The client's transport on bun's own fetch, in place of the one on undici: that one is slow to load here, and what bun
 * offers under its name has no dispatchers. bun itself handles certificates, `NODE_EXTRA_CA_CERTS` and `NO_PROXY`.
 */
export function createTransport({ proxy }: TransportOptions): Transport {
  return {
    async send(request, deadline, { onSend, onResponse }) {
      const controller = new AbortController();
      deadline.onEnd((reason) => controller.abort(reason));
      const { signal } = controller;
      const init = { ...toInit(request), signal, proxy: chooseProxy(proxy, request.url) };
      const response = await sendOnce(request.url, init, onSend);
      const head = { status: response.status, headers: Object.fromEntries(response.headers) };
      onResponse(head);
      return await readBody(response).then(
        (body) => ({ ...head, ...body }),
        (thrown: unknown) => {
          throw toUndiciError(thrown);
        },
      );
    },
    close: async () => {},
  };
}

/** False for none: otherwise bun would use a proxy from the environment, for loopback too. */
function chooseProxy(proxy: TransportOptions['proxy'], url: URL): string | false {
  return (url.protocol === 'https:' ? proxy?.httpsProxy : proxy?.httpProxy) || false;
}

function toInit({ method, headers, body }: HttpRequest): RequestInit {
  return { method, headers, body: body ?? null, redirect: 'manual' };
}

/** fetch does not report an established connection: unless its error says that there was none, the request may have been sent. */
async function sendOnce(url: URL, init: RequestInit, onSend: () => void): Promise<Response> {
  try {
    const response = await fetch(url, init);
    onSend();
    return response;
  } catch (thrown) {
    const error = toUndiciError(thrown);
    if (isSent(error)) onSend();
    throw error;
  }
}

function isSent(error: unknown): boolean {
  const state = { timeout: undefined, mayHaveBeenSent: true, hasBegun: false };
  return describeNetworkError(error, state).kind !== 'unreachable';
}

/** The client recognizes failures by the codes of Node and undici, and shows their messages. */
function toUndiciError(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  switch (error.code) {
    case 'ERR_PROXY_TUNNEL':
      return new NetworkError(error.message, 'UND_ERR_PRX_TLS');
    case 'ECONNRESET':
      return new NetworkError('other side closed', error.code);
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return new NetworkError("Hostname/IP does not match certificate's altnames", error.code);
    default:
      return error;
  }
}

async function readBody(response: Response): Promise<Pick<HttpResponse, 'body' | 'isUtf8'>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) {
      throw new NetworkError('The response is too large', 'UND_ERR_RES_EXCEEDED_MAX_SIZE');
    }
    chunks.push(chunk);
  }
  return decodeBody(chunks);
}

class NetworkError extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

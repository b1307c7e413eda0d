import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { decodeBody } from './decode-body.ts';
import { MAX_RESPONSE_BYTES, NetworkError } from './network-error.ts';
import {
  CONNECT_TIMEOUT_MS,
  type Deadline,
  type HttpRequest,
  type HttpResponse,
  type SendEvents,
  type Transport,
} from './transport.ts';

/** A transport on Node's own client, which is loaded much faster than undici. Its failures are those of undici. */
export function createHttpTransport(): Transport {
  let opening: ReturnType<typeof openAgent> | undefined;
  return {
    async send(request, deadline, events) {
      opening ??= openAgent(request.url);
      const { agent, start } = await opening;
      const { url, method, headers } = request;
      return exchange(() => start(url, { agent, method, headers }), request, deadline, events);
    },
    async close() {
      (await opening)?.agent.destroy();
    },
  };
}

async function openAgent(url: URL) {
  const { Agent, request } = await loadHttp(url);
  return { agent: new Agent({ keepAlive: true }), start: request };
}

export function loadHttp({ protocol }: URL) {
  return protocol === 'https:' ? import('node:https') : import('node:http');
}

function exchange(
  start: () => ClientRequest,
  { body }: HttpRequest,
  deadline: Deadline,
  events: SendEvents,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const request = start();
    const end = (reason: Error) => {
      request.destroy();
      reject(reason);
    };
    const fail = (error: Error) => end(toUndiciError(error));
    request.on('error', fail);
    request.on('socket', (socket) => watchConnection(socket, events.onSend, fail));
    // Nobody asked for another protocol.
    request.on('upgrade', () => fail(new NetworkError('bad upgrade', 'UND_ERR_SOCKET')));
    request.on('response', (response) => {
      const head = { status: response.statusCode ?? 0, headers: readHeaders(response) };
      events.onResponse(head);
      readBody(response).then((read) => resolve({ ...head, ...read }), fail);
    });
    deadline.onEnd(end);
    request.end(body);
  });
}

/** What was written meanwhile leaves once the connection is established. */
function watchConnection(
  socket: Socket & { encrypted?: true },
  onSend: () => void,
  fail: (error: Error) => void,
): void {
  if (!socket.connecting) {
    // Kept from an earlier request.
    onSend();
    return;
  }
  const timer = setTimeout(
    () => fail(new NetworkError('Connect Timeout Error', 'UND_ERR_CONNECT_TIMEOUT')),
    CONNECT_TIMEOUT_MS,
  );
  socket.once(socket.encrypted ? 'secureConnect' : 'connect', () => {
    clearTimeout(timer);
    onSend();
  });
  socket.once('close', () => clearTimeout(timer));
}

/** One that was sent several times has several values. */
function readHeaders({ headersDistinct }: IncomingMessage): HttpResponse['headers'] {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [
      name,
      values.length > 1 ? values : values[0],
    ]),
  );
}

function readBody(response: IncomingMessage): Promise<ReturnType<typeof decodeBody>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_RESPONSE_BYTES)
        reject(new NetworkError('Response too large', 'UND_ERR_RES_EXCEEDED_MAX_SIZE'));
    });
    response.on('error', reject);
    response.on('end', () => resolve(decodeBody(chunks)));
  });
}

/** The client recognizes failures by undici's codes and names, and shows its messages. */
function toUndiciError(error: Error & { code?: unknown; reason?: unknown }): Error {
  const code = String(error.code);
  if (code === 'HPE_HEADER_OVERFLOW')
    return new NetworkError('Headers Overflow Error', 'UND_ERR_HEADERS_OVERFLOW');
  if (code.startsWith('HPE_')) {
    const message = `Response does not match the HTTP/1.1 protocol (${error.reason})`;
    return new NetworkError(message, code, 'HTTPParserError');
  }
  if (code === 'ECONNRESET' && /^(socket hang up|aborted)$/.test(error.message))
    return new NetworkError('other side closed', 'UND_ERR_SOCKET');
  return error;
}

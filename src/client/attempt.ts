import { channel } from 'node:diagnostics_channel';
import { headers as names } from '../contract/headers.ts';
import type { Dispatcher } from './open-dispatcher.ts';
import type { Request } from './request.ts';

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A response, read to its end. */
export interface Response {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Uint8Array;
}

/** What an attempt came to; a failed one says whether its time was over and whether the request had left this computer. */
export type AttemptResult =
  | { readonly response: Response }
  | { readonly error: unknown; readonly isTimeout: boolean; readonly wasSent: boolean };

export interface Network {
  readonly dispatcher: Dispatcher;
  readonly sendWatch: SendWatch;
}

/** Sends a request once, within a time in milliseconds. */
export async function attempt(
  { dispatcher, sendWatch }: Network,
  request: Request,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<AttemptResult> {
  const deadline = startDeadline(timeoutMs, signal);
  const { method, url, id, headers, body = null } = request;
  try {
    const sent = dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body,
      signal: deadline.signal,
    });
    // undici notices its signal only once there is a connection, for which a silent proxy lets it wait five minutes.
    const response = await Promise.race([sent, deadline.over]);
    const bytes = await response.body.bytes();
    return { response: { status: response.statusCode, headers: response.headers, body: bytes } };
  } catch (error) {
    const wasSent = sendWatch.take(id);
    return { error, isTimeout: deadline.isOver(), wasSent };
  } finally {
    deadline.clear();
    sendWatch.take(id);
  }
}

/** One controller per attempt: `AbortSignal.any` and `AbortSignal.timeout` slow a large import down. */
function startDeadline(timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort();
  }, timeoutMs);
  const stop = () => controller.abort();
  const over = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  return {
    signal: controller.signal,
    over,
    isOver: () => isOver,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}

/** Remembers which requests undici has started to write. */
export interface SendWatch {
  /** Whether the request with this `X-Request-Id` was sent; forgets it. */
  take(id: string): boolean;
  close(): void;
}

/**
 * The error's class does not show whether a request was sent: ECONNRESET is the same before a connection stands, in a TLS
 * handshake, and after the request. undici's diagnostics can.
 */
export function watchSending(): SendWatch {
  const sending = channel('undici:client:sendHeaders');
  const sent = new Set<string>();
  const listen = (message: unknown) => {
    if (typeof message !== 'object' || message === null || !('headers' in message)) return;
    // Absent from the CONNECT to a proxy.
    const id = idPattern.exec(String(message.headers))?.[1];
    if (id !== undefined) sent.add(id);
  };
  sending.subscribe(listen);
  return { take: (id) => sent.delete(id), close: () => void sending.unsubscribe(listen) };
}

const idPattern = new RegExp(`\\r\\n${names.requestId}: (\\S+)`, 'i');

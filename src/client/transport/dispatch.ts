import type { Dispatcher } from 'undici';
import type { Limit, WireReply, WireRequest } from './wire.ts';

/**
 * Sends one request and reads its reply to the end. `onSend` is called when a connection stands and the request begins
 * to leave: the moment from which the outcome of a write is open. Spoken to undici's own handler, because its
 * `request` makes two streams for each call, which took most of an import's time.
 */
export function dispatch(
  dispatcher: Dispatcher,
  request: WireRequest,
  limit: Limit,
  onSend: () => void,
): Promise<WireReply> {
  return new Promise((resolve, reject) => {
    const { handler, abort } = createHandler(resolve, reject, onSend);
    limit.onEnd(abort);
    const { method, url, headers, body = null } = request;
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers,
        body,
        // The attempt's own limit bounds it from end to end.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    );
  });
}

function createHandler(
  resolve: (reply: WireReply) => void,
  reject: (error: unknown) => void,
  onSend: () => void,
) {
  let controller: Dispatcher.DispatchController | undefined;
  let aborted: Error | undefined;
  let status = 0;
  let headers: WireReply['headers'] = {};
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
    /** Rejects at once, also while there is no connection yet; the request then never leaves. */
    abort(reason: Error): void {
      aborted = reason;
      controller?.abort(reason);
      reject(reason);
    },
  };
}

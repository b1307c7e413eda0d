import { headers as names } from '../contract/headers.ts';
import { version } from '../version.ts';
import type { RequestLine } from './failure.ts';

export interface ClientOptions {
  /** Its path ends in `/v1`. */
  readonly baseUrl: URL;
  /** Absent: requests carry no key, as `probe` needs it for an address that is not known yet. */
  readonly apiKey?: string | undefined;
  /** Milliseconds per attempt; 30,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** After the first attempt; 2 unless given. */
  readonly retries?: number | undefined;
  /** Ends every request; nothing is sent after it. */
  readonly signal?: AbortSignal | undefined;
  /** The signal does not end a write that is in flight. */
  readonly finishesWrites?: boolean | undefined;
  readonly proxy?: ProxyOptions | undefined;
  readonly observe?: ((event: RequestEvent) => void) | undefined;
}

/** The URL of an HTTP proxy, perhaps with user and password, and the hosts that are reached without it. */
export interface ProxyOptions {
  readonly url: URL;
  readonly noProxy: string;
  /** The variable that named it, for messages. */
  readonly source: string;
}

/** Something that happened to a request, for `--verbose`. The key is redacted; all else is as it was sent or received. */
export type RequestEvent =
  | {
      readonly kind: 'request';
      readonly request: RequestLine;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | undefined;
    }
  | {
      readonly kind: 'response';
      readonly request: RequestLine;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly ms: number;
    }
  | {
      readonly kind: 'failure';
      readonly request: RequestLine;
      readonly reason: string;
      readonly ms: number;
    }
  | {
      readonly kind: 'retry';
      readonly request: RequestLine;
      readonly reason: string;
      readonly delayMs: number;
    };

/** A request without what all requests have in common. */
export interface RequestSpec {
  readonly method: 'GET' | 'POST' | 'HEAD';
  readonly url: URL;
  readonly body?: string;
  readonly idempotencyKey?: string;
}

/** A request as it is sent; the same for all its attempts. */
export interface Request {
  readonly method: RequestSpec['method'];
  readonly url: URL;
  /** Sent as `X-Request-Id`. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export function buildRequest(spec: RequestSpec, apiKey: string | undefined): Request {
  const { method, url, body, idempotencyKey } = spec;
  const id = crypto.randomUUID();
  return {
    method,
    url,
    id,
    body,
    headers: {
      ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
      Accept: 'application/json',
      'User-Agent': `petstore-cli/${version}`,
      [names.requestId]: id,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && { [names.idempotencyKey]: idempotencyKey }),
    },
  };
}

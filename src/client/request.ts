import { headers as names } from '../contract/headers.ts';
import { version } from '../version.ts';

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

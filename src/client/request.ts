import { headerNames } from '../contract/headers.ts';
import { version } from '../version.ts';

export interface ClientOptions {
  readonly baseUrl: URL;
  /** Absent: requests carry no key, as `probe` needs it for an address that is not known yet. */
  readonly apiKey?: string | undefined;
  /** Milliseconds per attempt; 30,000 unless given. */
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The signal does not end a write that is in flight. */
  readonly finishesWrites?: boolean | undefined;
  readonly proxy?: ProxyOptions | undefined;
  readonly trace?: Trace | undefined;
  readonly tracesBodies?: boolean | undefined;
}

/** Takes what was sent (`>`), what came back (`<`), and what is done about it (`*`), line by line, the key redacted. */
export type Trace = (mark: '>' | '<' | '*', text: string) => void;

/** The URL of an HTTP proxy, perhaps with user and password, and the hosts that are reached without it. */
export interface ProxyOptions {
  readonly url: URL;
  readonly noProxy: string;
  readonly source: string;
}

export interface RequestSpec {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly body?: string;
  readonly idempotencyKey?: string;
}

export interface Request {
  readonly method: RequestSpec['method'];
  readonly url: URL;
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Redacts its key in a text: a service may repeat what it was sent. */
  readonly redact: Redact;
}

export type Redact = (text: string) => string;

export function buildRequest(
  spec: RequestSpec,
  apiKey: string | undefined,
  redact: Redact,
): Request {
  const { method, url, body, idempotencyKey } = spec;
  const id = crypto.randomUUID();
  return {
    method,
    url,
    id,
    body,
    redact,
    headers: {
      ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
      Accept: 'application/json',
      'Accept-Encoding': 'identity',
      'User-Agent': `petstore-cli/${version}`,
      [headerNames.requestId]: id,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && { [headerNames.idempotencyKey]: idempotencyKey }),
    },
  };
}

/** In characters; a shorter key would be redacted within ordinary words. */
const SHORTEST_KEY = 8;

/**
 * Redacts a key in texts, each character as it is, percent-encoded, or escaped as JSON or HTML escape it. In any case: a URL
 * has its host in lower case.
 */
export function createRedactor(apiKey = ''): Redact {
  if (apiKey.length < SHORTEST_KEY) return (text) => text;
  const pattern = new RegExp(Array.from(apiKey, matchEncoded).join(''), 'gi');
  return (text) => text.replace(pattern, '[redacted]');
}

function matchEncoded(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  return `(?:\\\\*\\x${hex}|%(?:25)*${hex}|\\\\+u00${hex}|&#(?:0*${code}|x0*${hex});)`;
}

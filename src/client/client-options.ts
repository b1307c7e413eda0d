import type { RequestLine } from './request-error.ts';

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

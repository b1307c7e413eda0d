import type { Dispatcher } from 'undici';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'HEAD';
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
}

/** What arrives before the body. */
export interface ResponseHead {
  status: number;
  headers: Record<string, string | string[] | undefined>;
}

/** A response, read to its end. */
export interface HttpResponse extends ResponseHead {
  /** Without a byte order mark. */
  body: string;
  /** Whether the bytes were UTF-8; otherwise characters of the body were replaced. */
  isUtf8: boolean;
}

/** Ends one attempt. An AbortSignal for each request would slow down a large import; see bench/README.md. */
export interface Deadline {
  /** Calls the one listener when the attempt has to end, or at once if it has ended. */
  onEnd(listener: (reason: Error) => void): void;
}

/** How far a request has come. */
export interface SendEvents {
  /** The connection is established and the request is about to leave. */
  onSend(): void;
  /** The head of the response has arrived. */
  onResponse(head: ResponseHead): void;
}

/** Sends requests over the network. */
export interface Transport {
  send(request: HttpRequest, deadline: Deadline, events: SendEvents): Promise<HttpResponse>;
  close(): Promise<void>;
}

/** Proxies by URL, empty for none, and the hosts that are reached without one. */
export interface ProxySettings {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

export interface TransportOptions {
  proxy: ProxySettings | undefined;
  /** In place of a real network: for tests of what no server can be made to do. */
  dispatcher?: Dispatcher | undefined;
}

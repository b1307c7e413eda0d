import type { Dispatcher } from 'undici';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'HEAD';
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
}

/** A response, read to its end. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Ends one attempt. An AbortSignal for each request would slow down a large import; see bench/README.md. */
export interface Deadline {
  /** Calls the one listener when the attempt has to end, or at once if it has ended. */
  onEnd(listener: (reason: Error) => void): void;
}

/** Sends requests over the network. `onSend` is called when the connection is established and the request is about to leave. */
export interface Transport {
  send(request: HttpRequest, deadline: Deadline, onSend: () => void): Promise<HttpResponse>;
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

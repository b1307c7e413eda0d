/** A request as it goes on the wire. */
export interface WireRequest {
  method: 'GET' | 'POST' | 'HEAD';
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
}

/** A reply as it came from the wire, read to its end. */
export interface WireReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Ends a request that has had its time. An AbortSignal for each would cost more than all else the client does. */
export interface Limit {
  /** Calls the one listener when the end comes, or came already. */
  onEnd(listener: (reason: Error) => void): void;
}

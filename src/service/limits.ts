/** Every limit of the service. Those of one client belong to the proxy in front, see `docs/operating.md`. */
export const serviceLimits = {
  /** Open connections; more are closed as they come. */
  connections: 4_000,
  /** Bytes of a request line and its header fields. */
  headerBytes: 16_384,
  bodyBytes: 65_536,
  /** Milliseconds until the header fields have arrived, and until the whole request has. */
  headersMs: 10_000,
  requestMs: 30_000,
  /** Milliseconds for which nothing moves on a connection. */
  idleMs: 65_000,
  /** Requests of one connection without a response: no client sends so many ahead. */
  unanswered: 32,
  /** Milliseconds for which a body is read, and thrown away, after its response was sent. */
  unreadBodyMs: 1_000,
  /** Adds that wait to be stored. */
  waitingAdds: 1_024,
  /** Milliseconds of a stop in which requests are still accepted, while their responses end the connection. */
  drainMs: 500,
  /** Milliseconds after that for requests in flight. */
  finishMs: 7_500,
  /** Reads that wait for their turn, and again for a connection to PostgreSQL. */
  waitingReads: 512,
};
export type ServiceLimits = typeof serviceLimits;

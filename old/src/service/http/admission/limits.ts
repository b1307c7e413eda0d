import { isLoopbackAddress } from './peer-address.ts';

/** How much of this service clients may use. Times in milliseconds, sizes in bytes. */
export const defaultLimits = {
  /** For the whole header, so that nobody holds a connection by sending it byte by byte. */
  headersTimeout: 10_000,
  /** For header and body. */
  requestTimeout: 30_000,
  /** Without a byte in either direction, as when a response is not read. Longer than `requestTimeout`, or its 408 would never be sent. */
  idleTimeout: 35_000,
  /** Between two requests; longer than proxies commonly wait, so that it is they who close. */
  keepAliveTimeout: 72_000,
  /** Until the first byte of a new connection. */
  firstByteTimeout: 5_000,
  /** How long a connection that is closed may still send before it is destroyed, and how much. */
  lingerTime: 1_000,
  lingerBytes: 10 * 1024 * 1024,
  maxHeaderSize: 16 * 1024,
  /** A further one takes the place of the oldest that sent nothing, or else of the idle one on which nothing has moved for longest. */
  maxConnections: 2_000,
  /** How long a connection has sent nothing that is closed for another before all others. */
  silentTime: 100,
  /** How long nothing has moved on a connection that may be closed for another while it waits: longer than the database takes to respond. */
  quietTime: 10_000,
  connectionsPerAddress: 500,
  /** Peers whose connections are not counted by address. */
  isExemptAddress: isLoopbackAddress,
  /** Requests that wait for something, in the whole process; `reservedForHealth` of them for /healthz and /readyz only. */
  requestsInFlight: 2_048,
  reservedForHealth: 64,
  addsInFlight: 1_024,
  /** So that one client cannot take all of them. */
  addsInFlightOfOneKey: 768,
  readsInFlight: 512,
  /** Requests of one connection whose response was not sent completely: no real client pipelines more. */
  unansweredRequests: 256,
  /** Of these, all that were sent before the first one of their connection had its response, in the whole process. */
  pipelinedRequests: 10_000,
  /**
   * Of these so many are begun or ended per turn of the event loop, with pieces of large responses. Of the new connections
   * that wait, so many with a health check and so many others are started, and so many silent ones closed.
   */
  deferredPerTurn: 16,
  /** How long they may be put off while connections wait to be accepted: Node accepts one per turn. */
  longestSkip: 20,
  /**
   * Requests read in one turn on connections that were there before, whereupon all connections wait; as many more on new
   * ones with a health check, and on other new ones. A pipelined request counts as several, and so does a connection when
   * it is new and when its client closes it.
   */
  requestsPerTurn: 512,
  pipelinedWeight: 8,
  connectionWeight: 16,
  /** Chunks in which a body of at most 64 KiB may come: each costs about as much time as a small request. */
  bodyPieces: 1_024,
  /** What waits in the process until new connections have their turn; with more, they have it at once. */
  firstBytes: 16 * 1024 * 1024,
  /** What waits in the process for clients that do not read. */
  unreadBytes: 32 * 1024 * 1024,
  /** How long the service goes on accepting after it was told to stop. */
  drainTime: 500,
};
export type Limits = Readonly<typeof defaultLimits>;

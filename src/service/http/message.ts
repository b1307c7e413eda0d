import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceContext } from '../context.ts';

/** A request as a handler sees it. */
interface ServiceRequest {
  /** Path and query as they were sent. */
  readonly url: string;
  /** The value of the path's parameter, decoded; empty where the path has none. */
  readonly parameter: string;
  readonly headers: IncomingHttpHeaders;
  /** The whole body; empty unless the route says that it reads one. */
  readonly body: Uint8Array;
}

/** A response before the fields that every response has, such as its request id. */
export interface ServiceResponse {
  readonly status: number;
  /** Names and values in turn, the form that Node writes fastest. */
  readonly fields: readonly string[];
  /** Bytes, or text that is all ASCII: Node joins that with the head, which is faster. */
  readonly body: string | Buffer;
}

/** Does what one operation is for. It throws nothing it expects: see `createErrorResponder` for the rest. */
export type Handler = (
  request: ServiceRequest,
  services: ServiceContext,
) => ServiceResponse | Promise<ServiceResponse>;

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../contract/service-error.ts';

const BODY_LIMIT = 64 * 1024;

/** A request that is refused before its handler sees it. */
export class RefusedRequestError extends Error {
  override readonly name = 'RefusedRequestError';
  readonly code: ErrorCode;
  /** Whether more of the request may follow that nobody will read. */
  readonly closesConnection: boolean;

  constructor(code: ErrorCode, message: string, closesConnection = false) {
    super(message);
    this.code = code;
    this.closesConnection = closesConnection;
  }
}

export interface BodyReader {
  /** Rejects with RefusedRequestError when the body is of another type, too large, or does not arrive. */
  read(request: IncomingMessage): Promise<Buffer>;
  /**
   * Node reports a malformed or late body on its socket alone: this refuses the body that is being read from it, or will
   * be. Gives whether one is being read.
   */
  refuse(socket: Duplex, error: RefusedRequestError): boolean;
}

interface Reading {
  readonly request: IncomingMessage;
  readonly reject: (error: RefusedRequestError) => void;
}

/** Reads bodies of JSON of at most 64 KiB. */
export function createBodyReader(): BodyReader {
  const readings = new WeakMap<Duplex, Reading>();
  const refusals = new WeakMap<Duplex, RefusedRequestError>();

  function receive(request: IncomingMessage): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let length = 0;
      readings.set(request.socket, { request, reject });
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > BODY_LIMIT) reject(tooLarge());
        else chunks.push(chunk);
      });
      request.on('end', () => resolve(Buffer.concat(chunks)));
      request.on('error', () => reject(unreadable()));
    });
  }

  /** What happened to the rest of the body before it was read, such as while the key was looked up. */
  function findObstacle({ complete, destroyed, socket }: IncomingMessage) {
    if (complete) return undefined;
    return refusals.get(socket) ?? (destroyed ? unreadable() : undefined);
  }

  return {
    read(request) {
      const problem = checkHead(request) ?? findObstacle(request);
      return problem === undefined ? receive(request) : Promise.reject(problem);
    },

    refuse(socket, error) {
      refusals.set(socket, error);
      const reading = readings.get(socket);
      if (reading === undefined || reading.request.complete) return false;
      reading.reject(error);
      return true;
    },
  };
}

/** What is wrong with a body as its header fields describe it. */
function checkHead({ headers }: IncomingMessage): RefusedRequestError | undefined {
  const type = headers['content-type'];
  const hasBody =
    headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  if (type === undefined ? hasBody : !/^application\/json[ \t]*(?:;|$)/i.test(type))
    return new RefusedRequestError('unsupported_media_type', 'the body must be application/json');
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return new RefusedRequestError(
      'unsupported_media_type',
      'the body must not be in a coding such as gzip',
    );
  return Number(headers['content-length']) > BODY_LIMIT ? tooLarge() : undefined;
}

function tooLarge(): RefusedRequestError {
  return new RefusedRequestError('payload_too_large', 'the body is larger than 64 KiB', true);
}

function unreadable(): RefusedRequestError {
  return new RefusedRequestError('invalid_request', 'the request cannot be read', true);
}

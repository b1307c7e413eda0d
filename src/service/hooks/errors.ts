import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../contract/error.ts';
import { ServiceError, unavailable } from '../service-error.ts';
import { StoreError } from '../storage/store.ts';

/** Turns whatever is thrown, and whatever has no route, into the Error body of the contract (sections 2.5 and 7). */
export function addErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request, response) => {
    const { body, fields } = toServiceError(error, request);
    // Fastify closes where a body is too large; a client that is still sending would not see why. `http-server` closes it.
    if (body.status === 413) response.removeHeader('connection');
    return response.code(body.status).headers(fields).send(body);
  });
}

const noPath = new ServiceError('not_found', 'there is no such path');

interface KnownRoute {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

/** Collects the routes that are added from now on, to tell a wrong method (405) from a wrong path (404). */
export function collectRoutes(app: FastifyInstance): (request: FastifyRequest) => never {
  const routes: KnownRoute[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = url.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll(/:\w+/g, '[^/]+');
    routes.push({ pattern: new RegExp(`^${pattern}$`), methods: [method].flat() });
  });
  return ({ url, method }) => {
    const [written = ''] = url.split('?');
    const path = decodeURI(written);
    const found = routes.filter(({ pattern }) => pattern.test(path));
    const allowed = [...new Set(found.flatMap(({ methods }) => methods))].sort();
    const withoutSlash = path.replace(/\/+$/, '');
    if (withoutSlash !== path && routes.some(({ pattern }) => pattern.test(withoutSlash)))
      throw new ServiceError(
        'not_found',
        'there is no such path: write it without the slash at its end',
      );
    if (allowed.length === 0 || allowed.includes(method)) throw noPath;
    const allow = allowed.join(', ');
    throw new ServiceError('method_not_allowed', `this path allows ${allow}`, { Allow: allow });
  };
}

/** The errors of Fastify that a client can bring about, by their status. */
const refusals: Readonly<Record<number, [ErrorCode, string]>> = {
  400: ['invalid_request', 'the body does not fit the header fields'],
  413: ['payload_too_large', 'the body is larger than 64 KiB'],
  415: ['unsupported_media_type', 'the body must be application/json'],
};

function toServiceError(error: unknown, { id, log }: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof StoreError) {
    log.warn({ requestId: id, reason: error.message }, 'the database cannot be used');
    return unavailable(
      error.isOutcomeUnknown
        ? 'the database was lost while the pet was being stored: send it again with the same Idempotency-Key'
        : 'the database cannot be used now: try again',
    );
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  const refusal = refusals[status];
  if (refusal !== undefined) return new ServiceError(...refusal);
  log.error({ requestId: id, err: error }, 'a request failed');
  return new ServiceError('internal_error', 'the service failed');
}

/** Writes a refusal to a connection on which nothing became a request, and ends it. */
export function writeRefusal({ body }: ServiceError, requestId: string, socket: Duplex): void {
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${body.status} ${STATUS_CODES[body.status]}`,
    `Date: ${new Date().toUTCString()}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

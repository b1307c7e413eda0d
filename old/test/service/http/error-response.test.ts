import { expect, it } from 'vitest';
import {
  insufficientScope,
  keyRefusals,
  toErrorResponse,
} from '../../../src/service/http/error-response.ts';
import { RefusedRequestError } from '../../../src/service/http/request-body.ts';
import { errorResponse, type ServiceResponse } from '../../../src/service/http/response.ts';
import { createLog, type LogLevel } from '../../../src/service/monitoring/log.ts';
import { StillRunningError } from '../../../src/service/storage/add-queue.ts';
import {
  StoreOutcomeUnknownError,
  StoreUnavailableError,
} from '../../../src/service/storage/store.ts';

function respondTo(error: unknown, level: LogLevel = 'debug') {
  const lines: string[] = [];
  const log = createLog((line) => void lines.push(line), level);
  const response = toErrorResponse(error, 'r-1', log);
  return { ...read(response), entries: lines.map((line) => JSON.parse(line)) };
}

/** A response as it is sent: its own fields without those of its body. */
function read({ status, fields, body }: ServiceResponse) {
  return { status, fields: fields.slice(0, -4), body: JSON.parse(String(body)) };
}

const retryAfter = ['Retry-After', '1'];

it.each([
  ['an add that is still running', new StillRunningError(), 409, 'idempotency_conflict', []],
  ['a database that is not there', new StoreUnavailableError('x'), 503, 'unavailable', retryAfter],
  ['an outcome unknown', new StoreOutcomeUnknownError('x'), 503, 'unavailable', retryAfter],
  ['a bug', new TypeError('x'), 500, 'internal_error', []],
  ['a text that is thrown', 'x', 500, 'internal_error', []],
])('%s is told without its details: %#', (_, error, status, code, fields) => {
  const response = respondTo(error);
  expect(response).toMatchObject({ status, fields, body: { code, status } });
  expect(response.body.message).not.toMatch(/\bx\b/);
  expect(respondTo(error, 'silent')).toEqual({ ...response, entries: [] });
});

it('an outcome unknown tells what makes a retry safe', () => {
  const messageOf = (error: unknown) => respondTo(error).body.message;
  expect(messageOf(new StoreOutcomeUnknownError(''))).toBe(
    'the database was lost while adding and may have stored the pet: try again with the same Idempotency-Key',
  );
  expect(messageOf(new StoreUnavailableError(''))).toBe(
    'the service is too busy or cannot use its database now: try again',
  );
  expect(messageOf(new Error(''))).toBe(
    'the service failed: try again, an add with the same Idempotency-Key',
  );
  expect(messageOf(new StillRunningError())).toBe(
    'the first request with this Idempotency-Key is still running',
  );
});

it('details are logged, of a bug with where it is', () => {
  const bug = new TypeError('of us');
  expect(respondTo(bug).entries).toMatchObject([
    { level: 'error', message: 'a request failed', requestId: 'r-1', error: bug.stack },
  ]);
  expect(respondTo('of us').entries).toMatchObject([{ level: 'error', error: 'of us' }]);
  expect(respondTo(new StoreUnavailableError('the disk is full')).entries).toMatchObject([
    { level: 'warn', message: 'unavailable', requestId: 'r-1', reason: 'the disk is full' },
  ]);
});

it('a request that was refused has its own response, and no line of the log', () => {
  const response = errorResponse('invalid_request', 'it is wrong');
  const refused = new RefusedRequestError(response);
  expect(respondTo(refused)).toEqual({ ...read(response), entries: [] });
  expect(refused).toMatchObject({
    name: 'RefusedRequestError',
    message: 'The request was refused.',
  });
});

it.each([
  ['missing', keyRefusals.missing, 401, 'unauthorized', 'Bearer realm="petstore"'],
  [
    ...(['invalid', keyRefusals.invalid, 401, 'unauthorized'] as const),
    'Bearer realm="petstore", error="invalid_token"',
  ],
  [
    ...(['for reading only', insufficientScope, 403, 'forbidden'] as const),
    'Bearer realm="petstore", error="insufficient_scope"',
  ],
])('a key that is %s is refused as RFC 6750 says', (_, response, status, code, challenge) => {
  expect(read(response)).toEqual({
    ...{ status, fields: ['WWW-Authenticate', challenge] },
    body: { code, status, message: expect.stringMatching(/key/) },
  });
});

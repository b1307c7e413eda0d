import * as v from 'valibot';
import { parseJson } from '../contract/json.ts';
import { describeUnexpectedResponse } from './attempt.ts';
import { RequestError, type RequestLine } from './request-error.ts';
import type { WireReply } from './transport/wire.ts';

/** Parses the body of a successful reply by the contract. @throws RequestError of kind `malformed`. */
export function readReply<T extends v.GenericSchema>(
  schema: T,
  reply: WireReply,
  request: RequestLine,
  idempotencyKey?: string,
): v.InferOutput<T> {
  const refuse = (reason: string, cause?: unknown) =>
    new RequestError(
      request,
      { kind: 'malformed', status: reply.status, reason },
      request.method === 'POST' ? 'unknown' : 'not_applied',
      { idempotencyKey, cause },
    );
  const result = v.safeParse(schema, parseBody(reply, refuse));
  if (!result.success) throw refuse('JSON that is not the one of a pet store');
  return result.output;
}

function parseBody(reply: WireReply, refuse: (reason: string, cause?: unknown) => Error): unknown {
  const type = String(reply.headers['content-type'] ?? '');
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
    throw refuse(describeUnexpectedResponse(reply));
  try {
    return parseJson(reply.body);
  } catch (cause) {
    throw refuse('JSON that breaks off or is not valid', cause);
  }
}

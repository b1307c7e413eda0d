import * as v from 'valibot';
import { describeRule } from '../contract/describe-issues.ts';
import { isJsonObject, parseJson, parseJsonBy } from '../contract/json.ts';
import { ServiceError } from '../contract/service-error.ts';
import { parseHttpDate } from './http-date.ts';
import type { Quote } from './quote.ts';
import type { Failure, RequestError, RequestLine } from './request-error.ts';
import type { HttpResponse } from './transport/transport.ts';

/** A successful response with its request. */
export interface Exchange {
  response: HttpResponse;
  request: RequestLine;
  quote: Quote;
  /** The error of a response that does not follow the contract. */
  refuse(reason: string, cause?: unknown): RequestError;
}

/** Parses the body of a successful response by the contract. @throws RequestError of kind `unexpected_response`. */
export function readResponse<Schema extends v.GenericSchema>(
  schema: Schema,
  exchange: Exchange,
): v.InferOutput<Schema> {
  const result = parseBody(schema, exchange);
  if (!result.success) throw exchange.refuse(describeMismatch(result.issues[0], exchange.quote));
  return result.output;
}

function parseBody<Schema extends v.GenericSchema>(
  schema: Schema,
  { response, quote, refuse }: Exchange,
): v.SafeParseResult<Schema> {
  const type = String(response.headers['content-type'] ?? '');
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
    throw refuse(describeContent(response, quote));
  if (!response.isUtf8) throw refuse('text that is not UTF-8');
  try {
    return parseJsonBy(response.body, schema, { abortEarly: true });
  } catch (cause) {
    throw refuse('JSON that is truncated or not valid', cause);
  }
}

/** Where the body does not follow the contract: `[17].status must be one of available, pending, sold, is "reserved"`. */
function describeMismatch(issue: v.BaseIssue<unknown>, quote: Quote): string {
  const path = (issue.path ?? []).map(({ key }) =>
    typeof key === 'number' ? `[${key}]` : `.${key}`,
  );
  const rule = `${path.join('').replace(/^\./, '') || 'the body'} ${describeRule(issue)}`;
  const value = describeValue(issue.input, quote);
  return value === undefined ? rule : `${rule}, is ${value}`;
}

const MAX_VALUE_LENGTH = 60;

/** Undefined for what is not there. */
function describeValue(value: unknown, quote: Quote): string | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return JSON.stringify(quote(value, MAX_VALUE_LENGTH));
  // It may have a member called toString.
  return isJsonObject(value) ? 'an object' : quote(String(value), MAX_VALUE_LENGTH);
}

/** Reads the failure out of a response whose status is not 2xx. */
export function readFailure(response: HttpResponse, quote: Quote): Failure {
  const { status } = response;
  const error = readServiceError(response);
  if (error === undefined)
    return { kind: 'unexpected_response', status, reason: describeContent(response, quote) };
  const { code, message } = error;
  return {
    kind: 'response',
    status,
    error: { ...error, code: quote(code), message: quote(message) },
  };
}

function readServiceError(response: HttpResponse): ServiceError | undefined {
  try {
    const result = v.safeParse(ServiceError, parseJson(response.body));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}

/** Describes a response that does not follow the contract: a proxy's page, a redirect, nothing at all. */
function describeContent({ status, headers, body }: HttpResponse, quote: Quote): string {
  const { location } = headers;
  if (status >= 300 && status < 400) {
    return `a redirect${typeof location === 'string' ? ` to ${quote(location)}` : ''}, which is never followed with an API key`;
  }
  if (body === '') return 'an empty body';
  const [type] = String(headers['content-type'] ?? '').split(';');
  if (type === 'application/json') return 'JSON that does not follow the contract';
  return `${quote(type ?? '', MAX_VALUE_LENGTH) || 'a body without a content type'}, not JSON (perhaps a proxy's page)`;
}

/** What is asked for beyond this, some three hundred years, is as good as for ever, and still a date. */
const MAX_RETRY_AFTER_S = 10_000_000_000;

/** `Retry-After` in seconds, given as such or as a date (RFC 9110, section 10.2.3). */
export function readRetryAfter(
  { headers }: Pick<HttpResponse, 'headers'>,
  now: number = Date.now(),
): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value), MAX_RETRY_AFTER_S);
  const date = parseHttpDate(value, now);
  return date === undefined ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

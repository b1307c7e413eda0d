import * as v from 'valibot';
import { describeRule } from '../contract/describe-issues.ts';
import { parseJson } from '../contract/json.ts';
import { ServiceError } from '../contract/service-error.ts';
import { type Failure, RequestError, type RequestLine } from './request-error.ts';
import type { HttpResponse } from './transport/transport.ts';

/** Parses the body of a successful response by the contract. @throws RequestError of kind `unexpected_response`. */
export function readResponse<T extends v.GenericSchema>(
  schema: T,
  response: HttpResponse,
  request: RequestLine,
  idempotencyKey?: string,
): v.InferOutput<T> {
  const refuse = (reason: string, cause?: unknown) =>
    new RequestError(
      request,
      { kind: 'unexpected_response', status: response.status, reason },
      request.method === 'POST' ? 'unknown' : 'not_applied',
      { idempotencyKey, cause },
    );
  const result = v.safeParse(schema, parseBody(response, refuse), { abortEarly: true });
  if (!result.success) throw refuse(describeMismatch(result.issues[0]));
  return result.output;
}

function parseBody(
  response: HttpResponse,
  refuse: (reason: string, cause?: unknown) => Error,
): unknown {
  const type = String(response.headers['content-type'] ?? '');
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) throw refuse(describeContent(response));
  try {
    return parseJson(response.body);
  } catch (cause) {
    throw refuse('JSON that is truncated or not valid', cause);
  }
}

/** Where the body does not follow the contract, such as `[17].status must be one of available, pending, sold`. */
function describeMismatch(issue: v.BaseIssue<unknown>): string {
  const path = (issue.path ?? []).map(({ key }) =>
    typeof key === 'number' ? `[${key}]` : `.${key}`,
  );
  return `${path.join('').replace(/^\./, '') || 'the body'} ${describeRule(issue)}`;
}

/** Reads the failure out of a response whose status is not 2xx. */
export function readFailure(response: HttpResponse): Failure {
  const { status } = response;
  const error = readServiceError(response);
  return error
    ? { kind: 'response', status, error }
    : { kind: 'unexpected_response', status, reason: describeContent(response) };
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
function describeContent({ status, headers, body }: HttpResponse): string {
  const { location } = headers;
  if (status >= 300 && status < 400) {
    return `a redirect${typeof location === 'string' ? ` to ${location}` : ''}, which is never followed with an API key`;
  }
  if (body === '') return 'an empty body';
  const [type] = String(headers['content-type'] ?? '').split(';');
  if (type === 'application/json') return 'JSON that does not follow the contract';
  return `${type || 'a body without a content type'}, not JSON (perhaps a proxy's page)`;
}

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3). */
export function readRetryAfter({ headers }: HttpResponse): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/**
 * The target of the first link with the wanted relation in a `Link` header (RFC 8288), resolved against the request's URL;
 * undefined when there is none.
 */
export function findLink(
  header: string | string[] | undefined,
  relation: string,
  base: URL,
): URL | undefined {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  for (const [, target = '', parameters = ''] of text.matchAll(/<([^>]*)>((?:[^,"]|"[^"]*")*)/g)) {
    const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    const relations = (quoted ?? plain ?? '').toLowerCase().split(/\s+/);
    if (relations.includes(relation) && URL.canParse(target, base.href)) {
      return new URL(target, base);
    }
  }
  return undefined;
}

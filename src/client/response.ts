import * as v from 'valibot';
import { describeRule, ErrorBody } from '../contract/error.ts';
import { headerNames } from '../contract/headers.ts';
import { parseJson } from '../contract/json.ts';

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface Response {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Uint8Array;
}

export type Reading<T> = { readonly value: T } | { readonly problem: string };

export function readBody<Schema extends v.GenericSchema>(
  schema: Schema,
  response: Response,
): Reading<v.InferOutput<Schema>> {
  const type = readHeader(response.headers, 'content-type');
  if (isEncoded(response) || !/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
    return { problem: describeContent(response) };
  const json = readJson(response);
  if ('problem' in json) return json;
  const result = v.safeParse(schema, json.value, { abortEarly: true });
  return result.success
    ? { value: result.output }
    : { problem: describeMismatch(result.issues[0]) };
}

export function readErrorBody(response: Response): Reading<ErrorBody> {
  const json = readJson(response);
  const result = 'value' in json ? v.safeParse(ErrorBody, json.value) : undefined;
  return result?.success ? { value: result.output } : { problem: describeContent(response) };
}

/** A header as one text, by its name in any case; empty where it is absent. */
export function readHeader(headers: ResponseHeaders, name: string): string {
  return [headers[name.toLowerCase()] ?? ''].flat().join(', ');
}

export function readServerDate(headers: ResponseHeaders): Date | undefined {
  return readDate(readHeader(headers, 'date'));
}

export function readDate(text: string): Date | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** A failure without the header says nothing: it may come from a proxy in front of a service that honors keys. */
export function readHonorsKeys({ status, headers }: Response): boolean | undefined {
  if (headerNames.petstoreIdempotency.toLowerCase() in headers) return true;
  return status < 300 ? false : undefined;
}

/**
 * `Retry-After` in seconds, given as such or as a date (RFC 9110, section 10.2.3), the longest where it is there more than
 * once. Undefined for anything else. @param now in milliseconds, by the clock of the service.
 */
export function parseRetryAfter(
  value: string | string[] | undefined,
  now = Date.now(),
): number | undefined {
  const waits = [value ?? []].flat().flatMap((text) => {
    // A proxy may join several headers to one.
    if (/^\s*\d+(?:\s*,\s*\d+)*\s*$/.test(text)) return text.split(',').map(Number);
    // Date.parse takes almost any text for a date, and every HTTP date begins with a weekday.
    const date = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(date) ? [] : [Math.max(0, Math.ceil((date - now) / 1000))];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function readJson({ body }: Response): Reading<unknown> {
  try {
    return { value: parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch (error) {
    return {
      problem:
        error instanceof TypeError
          ? 'text that is not UTF-8'
          : 'JSON that is truncated or not valid',
    };
  }
}

function describeMismatch(issue: v.BaseIssue<unknown>): string {
  const path = (issue.path ?? []).map(({ key }) =>
    typeof key === 'number' ? `[${key}]` : `.${key}`,
  );
  const name = path.join('').replace(/^\./, '') || 'the body';
  return `JSON that does not follow the contract (${name} ${describeRule(issue)})`;
}

function describeContent(response: Response): string {
  const { status, headers, body } = response;
  if (status >= 300 && status < 400) {
    const to = typeof headers.location === 'string' ? ` to ${headers.location}` : '';
    return `a redirect${to}, which is never followed with an API key`;
  }
  if (body.length === 0) return 'an empty body';
  if (isEncoded(response))
    return `a compressed body (${headers['content-encoding']}), which petstore did not ask for`;
  const [type = ''] = readHeader(headers, 'content-type').split(';');
  if (type === 'application/json') return 'JSON that does not follow the contract';
  return `${type || 'a body without a content type'}, not JSON`;
}

function isEncoded({ headers }: Response): boolean {
  const encoding = readHeader(headers, 'content-encoding').trim();
  return encoding !== '' && encoding.toLowerCase() !== 'identity';
}

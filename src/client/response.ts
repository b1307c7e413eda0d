import * as v from 'valibot';
import { describeRule, ErrorBody } from '../contract/error.ts';
import { parseJson } from '../contract/json.ts';
import type { Response } from './send.ts';

/** What a body holds that follows the contract, or in words what it is instead. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/** Reads the body of a successful response by the contract. */
export function readBody<Schema extends v.GenericSchema>(
  schema: Schema,
  response: Response,
): Reading<v.InferOutput<Schema>> {
  const type = String(response.headers['content-type'] ?? '');
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
    return { problem: describeContent(response) };
  const json = readJson(response);
  if ('problem' in json) return json;
  const result = v.safeParse(schema, json.value, { abortEarly: true });
  return result.success
    ? { value: result.output }
    : { problem: describeMismatch(result.issues[0]) };
}

/** The contract's Error body of a failed response, or what is there instead. */
export function readErrorBody(response: Response): Reading<ErrorBody> {
  const json = readJson(response);
  const result = 'value' in json ? v.safeParse(ErrorBody, json.value) : undefined;
  return result?.success ? { value: result.output } : { problem: describeContent(response) };
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

/** Where the body does not follow the contract: `JSON that does not follow the contract ([17].status must be one of …)`. */
function describeMismatch(issue: v.BaseIssue<unknown>): string {
  const path = (issue.path ?? []).map(({ key }) =>
    typeof key === 'number' ? `[${key}]` : `.${key}`,
  );
  const name = path.join('').replace(/^\./, '') || 'the body';
  return `JSON that does not follow the contract (${name} ${describeRule(issue)})`;
}

/** A proxy's page, a redirect, nothing at all. */
function describeContent({ status, headers, body }: Response): string {
  if (status >= 300 && status < 400) {
    const to = typeof headers.location === 'string' ? ` to ${headers.location}` : '';
    return `a redirect${to}, which is never followed with an API key`;
  }
  if (body.length === 0) return 'an empty body';
  const [type = ''] = String(headers['content-type'] ?? '').split(';');
  if (type === 'application/json') return 'JSON that does not follow the contract';
  return `${type || 'a body without a content type'}, not JSON`;
}

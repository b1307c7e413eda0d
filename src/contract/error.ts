import * as v from 'valibot';

/** Every error code of this service, with its HTTP status (sections 2.5 and 7). A closed list. */
export const errorStatus = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_conflict: 409,
  operation_removed: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The body of every error response (section 2.5). Another implementation may use codes of its own. */
export const ErrorBody = v.object({
  code: v.string(),
  message: v.string(),
  status: v.pipe(v.number(), v.integer()),
});
export type ErrorBody = v.InferOutput<typeof ErrorBody>;

/** One sentence per field that a schema refused, such as `categoryId: must be an int64 integer`. */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues.map(describeIssue).join('; ');
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  const rule = describeRule(issue);
  if (issue.path === undefined) return rule;
  return `${formatName(issue.path.map((item) => String(item.key)).join('.'))}: ${rule}`;
}

export function describeRule(issue: v.BaseIssue<unknown>): string {
  const isMissing = issue.kind === 'schema' && issue.received === 'undefined';
  return isMissing ? 'is required' : issue.message;
}

const LONGEST_NAME = 100;

/** A name that somebody made up, in a message: shortened, and quoted where it could not be seen otherwise. */
function formatName(name: string): string {
  const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
  return /^(?! )\P{C}+(?<! )$/u.test(shown) ? shown : JSON.stringify(shown);
}

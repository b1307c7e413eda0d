import type * as v from 'valibot';

/** One sentence per field that a schema refused, such as `categoryId: must be an int64 integer`. */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues.map(describeIssue).join('; ');
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  const path = issue.path?.map((item) => String(item.key)).join('.');
  const rule = describeRule(issue);
  return path ? `${path}: ${rule}` : rule;
}

/** What the schema requires of the value it refused, without the name of the field. */
export function describeRule(issue: v.BaseIssue<unknown>): string {
  const isMissing = issue.kind === 'schema' && issue.received === 'undefined';
  return isMissing ? 'is required' : issue.message;
}

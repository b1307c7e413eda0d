import type * as v from 'valibot';

/** One sentence a field for what a schema refused, such as `categoryId: must be an int64 integer`. */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues.map(describeIssue).join('; ');
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  const path = issue.path?.map((item) => String(item.key)).join('.');
  const rule = describeRule(issue);
  return path ? `${path}: ${rule}` : rule;
}

/** What the schema asks of the value it refused, without naming the field. */
export function describeRule(issue: v.BaseIssue<unknown>): string {
  const isMissing = issue.kind === 'schema' && issue.received === 'undefined';
  return isMissing ? 'is required' : issue.message;
}

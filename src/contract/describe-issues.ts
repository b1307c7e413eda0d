import type * as v from 'valibot';

/** One sentence a field for what a schema refused, such as `categoryId: must be an int64 integer`. */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues.map(describeIssue).join('; ');
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  const path = issue.path?.map((item) => String(item.key)).join('.');
  const missing = issue.kind === 'schema' && issue.received === 'undefined';
  const rule = missing ? 'is required' : issue.message;
  return path ? `${path}: ${rule}` : rule;
}

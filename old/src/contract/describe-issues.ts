import type * as v from 'valibot';

/** One sentence per field that a schema refused, such as `categoryId: must be an int64 integer`. */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues.map(describeIssue).join('; ');
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  const rule = describeRule(issue);
  if (issue.path === undefined) return rule;
  return `${formatName(issue.path.map((item) => String(item.key)).join('.'))}: ${rule}`;
}

/** What the schema requires of the value it refused, without the name of the field. */
export function describeRule(issue: v.BaseIssue<unknown>): string {
  const isMissing = issue.kind === 'schema' && issue.received === 'undefined';
  return isMissing ? 'is required' : issue.message;
}

/** A name that somebody made up, in a message: shortened, and quoted where it could not be seen otherwise. */
export function formatName(name: string): string {
  const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
  return /^(?! )\P{C}+(?<! )$/u.test(shown) ? shown : JSON.stringify(shown);
}

const LONGEST_NAME = 100;

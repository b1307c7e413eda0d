import { parse } from 'node:querystring';
import * as v from 'valibot';
import { describeIssues } from '../../contract/describe-issues.ts';
import { NoQuery } from '../../contract/operations.ts';

/** Reads the query of a URL by an operation's schema, or says what is wrong with it, naming the parameter. */
export function parseQuery<Query extends object>(
  schema: v.GenericSchema<unknown, Query>,
  url: string,
): Query | string {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const parsed = v.safeParse(schema, parse(query, '&', '=', { maxKeys: 0 }));
  return parsed.success ? parsed.output : describeIssues(parsed.issues);
}

/** What is wrong with the query of a URL that must have none. */
export function refuseQuery(url: string): string | undefined {
  if (!url.includes('?')) return undefined;
  const query = parseQuery(NoQuery, url);
  return typeof query === 'string' ? query : undefined;
}

import * as v from 'valibot';
import { describeIssues } from '../../contract/error.ts';
import { ServiceError } from '../service-error.ts';

/** Checks the query of a request by its operation's schema. @throws ServiceError naming the parameter */
export function parseQuery<Schema extends v.GenericSchema>(
  schema: Schema,
  query: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, query);
  if (parsed.success) return parsed.output;
  throw new ServiceError('invalid_request', describeIssues(parsed.issues));
}

import { type Failure, RequestError } from '../../client/request-error.ts';
import type { Trace } from '../../client/requests/send-request.ts';
import type { Target } from '../../config/environments/environments.ts';
import type { ApiKey } from '../../config/keys/keys.ts';
import { findBaseUrlProblem } from '../../contract/base-url.ts';
import type { Context } from '../../program/context/context.ts';
import { describeError } from '../../program/errors/describe-error.ts';
import { formatRequest } from '../../program/errors/report-error.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';
import { isUnauthorized } from '../shared/verify-key.ts';
import { type Finding, pass, warn } from './checks.ts';

/** What a request to the service showed. */
export interface ServiceCheck {
  finding: Finding & { failure?: unknown };
  /** When it responded, by its own clock. */
  date: Date | undefined;
}

/** The part of a response that is looked at besides its pets. */
interface Seen {
  date?: Date;
  location?: string;
  ms?: number;
}

/** Lists one pet. @param key none where there is none: even then the service should respond. */
export async function checkService(
  context: Context,
  target: Target,
  key: ApiKey | undefined,
): Promise<ServiceCheck> {
  const seen: Seen = {};
  const onResult: Trace['result'] = (_, result, ms) => {
    const { date, location } = result.response?.headers ?? {};
    const served = new Date(String(date));
    if (!Number.isNaN(served.getTime())) seen.date = served;
    if (typeof location === 'string') seen.location = location;
    seen.ms = Math.round(ms);
  };
  try {
    const finding = await listOne(context, target, key, { onResult, seen });
    return { finding, date: seen.date };
  } catch (failure) {
    if (context.signal.aborted) throw failure;
    return { finding: explain(context, target, key, failure, seen), date: seen.date };
  }
}

async function listOne(
  context: Context,
  target: Target,
  key: ApiKey | undefined,
  { onResult, seen }: { onResult: Trace['result']; seen: Seen },
): Promise<Finding> {
  const client = await context.connect(target, key?.value ?? 'none', { onResult });
  try {
    await client.listPets({ limit: 1 });
    return (await client.honorsIdempotency())
      ? pass(`responded in ${seen.ms} ms`)
      : warn(
          `responded in ${seen.ms} ms, but does not know idempotency keys: a failed add is not retried`,
        );
  } catch (error) {
    // Without a key the service can only refuse, which shows that it is there.
    if (key !== undefined || !isUnauthorized(error)) throw error;
    return pass(`responded in ${seen.ms} ms that it needs a key`);
  } finally {
    await client.close();
  }
}

/** The failure as a command would report it, and beyond that what only looking for a cause can say. */
function explain(
  { signal, requestTarget, clock }: Context,
  target: Target,
  key: ApiKey | undefined,
  failure: unknown,
  { location }: Seen,
): ServiceCheck['finding'] {
  const known = { ...requestTarget(), target, ...(key && { key }) };
  const report = describeError(failure, { signal, requestTarget: known });
  const cause = failure instanceof RequestError ? findCause(failure.failure, target, location) : {};
  const { details = [], next = report.next } = cause;
  const now = `the clock of this machine says ${clock().toISOString()}`;
  return {
    state: 'fail',
    message: report.message,
    details: [
      ...formatRequest(report),
      ...report.details,
      ...details,
      ...(isOutOfDate(failure) ? [now] : []),
    ],
    next,
    failure,
  };
}

function isOutOfDate(error: unknown): boolean {
  if (!(error instanceof RequestError) || error.failure.kind !== 'unreachable') return false;
  return ['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'].includes(error.failure.code);
}

/** Where it is not the service that responds: what to look at, and the line that mends it. */
function findCause(
  failure: Failure,
  { name }: Target,
  location: string | undefined,
): Partial<Pick<Finding, 'details' | 'next'>> {
  if (failure.kind !== 'unexpected_response') return {};
  const url = location === undefined ? undefined : readBaseUrl(location);
  if (url !== undefined)
    return { next: [formatShellLine(['petstore', 'env', 'set', name, '--url', url])] };
  return {
    details: ['something else responds at this URL: a web page, a login page or a proxy'],
    next: [
      `petstore env show ${name} --explain`,
      `petstore env set ${name} --url https://pets.example.com/v1`,
    ],
  };
}

/** The base URL to which a request for the pets was redirected. */
function readBaseUrl(location: string): string | undefined {
  const base = location.replace(/\/pets(?:\?.*)?$/, '');
  if (!URL.canParse(base) || findBaseUrlProblem(new URL(base)) !== undefined) return undefined;
  return base;
}

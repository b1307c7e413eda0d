import { isLocalCode, RequestError, type RequestLine } from '../client/failure.ts';
import {
  type CommandLine,
  exitCodes,
  type LocalCode,
  messageOf,
  type Outcome,
  UserError,
} from '../errors.ts';
import type { Context } from './context.ts';
import { adviseNewKey, listEnvOption, repeatLine } from './next-lines.ts';

/** An error for people and for scripts: the members of the JSON line on stderr, in their order (`docs/scripts.md`). */
export interface Report {
  readonly code: string;
  /** One sentence that says what failed. */
  readonly message: string;
  readonly exitCode: number;
  readonly environment?: string | undefined;
  readonly request?: (RequestLine & { readonly status?: number | undefined }) | undefined;
  readonly outcome: Outcome;
  readonly retryable: boolean;
  /** Where and why. */
  readonly details: readonly string[];
  readonly try: readonly CommandLine[];
}

/** A failure with the line that goes on from it, where only the command knows it: what was typed at a prompt, or a key. */
export class AdvisedError extends Error {
  override readonly name = 'AdvisedError';
  override readonly cause: unknown;
  /** A command line, ready to paste. */
  readonly line: CommandLine;

  constructor(cause: unknown, line: CommandLine) {
    super('See the cause.');
    this.cause = cause;
    this.line = line;
  }
}

/** The one table from anything that was thrown to a report. */
export function describeError(error: unknown, context: Context): Report {
  if (error instanceof AdvisedError) return describeAdvised(error, context);
  if (context.signal.reason instanceof UserError)
    return describeStop(context.signal.reason, error, context);
  if (error instanceof RequestError) return describeRequestError(error, context);
  if (error instanceof UserError) {
    const { outcome, details, try: next } = error;
    return { ...describe(error, context), outcome, details, try: next };
  }
  const message = `Something unexpected happened: ${messageOf(error)}.`;
  return {
    ...describe({ code: 'cli_unexpected', message }, context),
    details: ['This is a bug in petstore; PETSTORE_DEBUG=1 shows where.'],
  };
}

/** What the command advises stands behind what mends the cause; after an unknown outcome nothing else is safe. */
function describeAdvised({ cause, line }: AdvisedError, context: Context): Report {
  const report = describeError(cause, context);
  return { ...report, try: report.outcome === 'unknown' ? [line] : [...report.try, line] };
}

/** A write that was in flight may have been applied; a command that says how far it came keeps its words. */
function describeStop({ code, message }: UserError, error: unknown, context: Context): Report {
  if (error instanceof UserError) {
    const { outcome, details, try: next } = error;
    return { ...describe({ code, message: error.message }, context), outcome, details, try: next };
  }
  if (!(error instanceof RequestError) || error.outcome !== 'unknown')
    return describe({ code, message }, context);
  const { request, outcome } = error;
  const unknown = 'Stopped; the pet may or may not have been added.';
  return {
    ...describe({ code, message: unknown }, context),
    ...{ request, outcome, details: [`${request.method} ${request.url}`, `request ${request.id}`] },
  };
}

function describe(
  { code, message }: { code: LocalCode; message: string },
  context: Context,
): Report {
  return {
    ...{ code, message, exitCode: exitCodes[code] },
    environment: context.found.environment?.name,
    ...{ outcome: 'not_sent', retryable: false, details: [], try: [] },
  };
}

/** What a failed request means to the person who typed the line. */
function describeRequestError(error: RequestError, context: Context): Report {
  const { request, status, outcome, retryAfter, isRetryable, honorsKeys } = error;
  const { message, details, try: next } = describeStatus(error, context);
  const isUnknown = outcome === 'unknown';
  const response = status === undefined ? '' : `${status} ${error.code}: `;
  return {
    code: isUnknown ? 'cli_outcome_unknown' : error.code,
    message: isUnknown ? `${message} The pet may or may not have been added.` : message,
    exitCode: isUnknown ? exitCodes.cli_outcome_unknown : error.exitCode,
    environment: context.found.environment?.name,
    request: { ...request, status },
    ...{ outcome, retryable: isRetryable },
    details: [
      `${response}${request.method} ${request.url}`,
      ...details,
      ...(retryAfter === undefined ? [] : [`it asks to wait ${retryAfter} s`]),
      `request ${request.id}`,
      ...(isUnknown && !honorsKeys
        ? ['Running the same line again could add it twice. Look first:']
        : []),
    ],
    try: isUnknown ? [] : next,
  };
}

type Words = Pick<Report, 'message' | 'details' | 'try'>;

/** The table from a status to words; where only the service or the client can explain it, these are in the error. */
function describeStatus(error: RequestError, { found, argv }: Context): Words {
  const { environment, key } = found;
  const name = environment?.name ?? 'the service';
  const env = listEnvOption(environment?.name);
  const say = (
    message: string,
    next: readonly CommandLine[],
    more: readonly string[] = [],
  ): Words => ({
    ...{ message, details: [...error.details, ...more], try: next },
  });
  const ofKey = key === undefined ? [] : [`key from ${key.source}, ending ${key.ending}`];
  const newKey = adviseNewKey(environment?.name, key);
  // What is not a pet store says nothing of the key.
  switch (isLocalCode(error.code) ? undefined : error.status) {
    case 401:
      return say(`The API key for ${name} was not accepted.`, newKey.try, [
        ...ofKey,
        ...newKey.details,
      ]);
    case 403:
      return say(`The API key for ${name} is read-only.`, newKey.try, [
        ...ofKey,
        ...newKey.details,
      ]);
    case 429:
      return say(`${name} is too busy at the moment.`, [repeatLine(argv, {})], [error.message]);
    case 503:
      return say(
        `${name} is not available at the moment.`,
        [repeatLine(argv, {})],
        [error.message],
      );
    default: {
      const { cli_rejected, cli_not_found } = exitCodes;
      const isRefusal = [cli_rejected, cli_not_found].some((code) => code === error.exitCode);
      return say(error.message, isRefusal ? [] : [['petstore', 'doctor', ...env]]);
    }
  }
}

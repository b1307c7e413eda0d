import {
  type CommandLine,
  exitCodeOfStatus,
  exitCodes,
  type LocalCode,
  type Outcome,
} from '../errors.ts';
import type { Request } from './request.ts';
import { parseRetryAfter, type Response, readErrorBody, readServerDate } from './response.ts';

export interface RequestLine {
  readonly method: Request['method'];
  readonly url: string;
  /** Sent as `X-Request-Id`; the service's log has it too. */
  readonly id: string;
}

export type RequestFacts = Pick<RequestError, 'code' | 'message' | 'outcome'> &
  Partial<Omit<RequestError, 'request' | 'exitCode' | 'amend'>>;

type SentRequest = Pick<Request, 'method' | 'url' | 'id' | 'redact'>;

/** A request that failed. The key is redacted in all its texts. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly request: RequestLine;
  readonly code: string;
  readonly exitCode: number;
  readonly outcome: Outcome;
  readonly status: number | undefined;
  readonly details: readonly string[];
  readonly try: readonly CommandLine[];
  readonly isTransient: boolean;
  /** Whether the very same line may succeed with nothing changed, and adds nothing twice. */
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;
  readonly serverDate: Date | undefined;
  /** Whether the service honors idempotency keys; undefined when no response of this run has said so. */
  readonly honorsKeys: boolean | undefined;
  readonly #known: readonly [SentRequest, RequestFacts];

  constructor(sent: SentRequest, facts: RequestFacts) {
    super(sent.redact(facts.message), { cause: facts.cause });
    const { status, outcome, isTransient = false } = facts;
    this.#known = [sent, facts];
    this.request = { method: sent.method, url: sent.redact(sent.url.href), id: sent.id };
    this.code = sent.redact(facts.code);
    this.exitCode = findExitCode(facts);
    this.outcome = outcome;
    this.status = status;
    this.details = facts.details?.map(sent.redact) ?? [];
    this.try = facts.try ?? [];
    this.isTransient = isTransient;
    // Another attempt of a read after a 500 is for whoever runs the line.
    const isPassing = isTransient || (status ?? 0) >= 500;
    this.retryable = facts.retryable ?? (isPassing && outcome !== 'unknown');
    this.retryAfter = facts.retryAfter;
    this.serverDate = facts.serverDate;
    this.honorsKeys = facts.honorsKeys;
  }

  amend(changes: Partial<RequestFacts>): RequestError {
    const [sent, facts] = this.#known;
    return new RequestError(sent, { ...facts, ...changes });
  }
}

/** A write whose outcome is unknown is exit 9, whatever the cause. */
function findExitCode({ code, status, outcome }: RequestFacts): number {
  if (outcome === 'unknown') return exitCodes.cli_outcome_unknown;
  if (isLocalCode(code)) return exitCodes[code];
  return exitCodeOfStatus(status ?? 500);
}

export function isLocalCode(code: string): code is LocalCode {
  return Object.hasOwn(exitCodes, code);
}

/** The first request with this idempotency key has not ended: nobody knows yet how it will. */
const STILL_RUNNING = 'idempotency_conflict';

export function explainStatus(request: Request, response: Response): RequestError {
  const { status, headers } = response;
  const isWrite = request.method === 'POST';
  const body = readErrorBody(response);
  const isRunning = 'value' in body && isWrite && body.value.code === STILL_RUNNING;
  const serverDate = readServerDate(headers);
  const rest = {
    status,
    outcome: isWrite && (isRunning || !isRefusal(status)) ? 'unknown' : 'not_applied',
    isTransient: isRunning || isTransientStatus(status, isWrite),
    retryAfter: parseRetryAfter(headers['retry-after'], serverDate?.getTime()),
    serverDate,
  } as const;
  // A code of this program's own would choose the exit code.
  if ('value' in body && !body.value.code.startsWith('cli_')) {
    const { code, message } = body.value;
    return new RequestError(request, { code, message, ...rest });
  }
  const problem = 'problem' in body ? body.problem : 'a code that only petstore itself gives';
  return explainUnexpected(request, status, problem).amend(rest);
}

/** Whether a response says that a write was not applied: a 4xx, or that it belongs elsewhere. */
function isRefusal(status: number): boolean {
  return (status >= 400 && status < 500) || [301, 302, 307, 308].includes(status);
}

/** A write may also follow a 500: its key keeps it from being doubled. */
function isTransientStatus(status: number, isWrite: boolean): boolean {
  return [408, 429, 502, 503, 504].includes(status) || (isWrite && status === 500);
}

export function explainUnexpected(request: Request, status: number, problem: string): RequestError {
  const { host } = request.url;
  return new RequestError(request, {
    code: 'cli_unexpected_response',
    message: [502, 503, 504].includes(status)
      ? `${host} is not available at the moment.`
      : `${host} did not respond as a pet store.`,
    details: [`it responded ${status} with ${problem}`],
    status,
    outcome: request.method === 'POST' ? 'unknown' : 'not_applied',
  });
}

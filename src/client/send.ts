import { setTimeout as pause } from 'node:timers/promises';
import { explainStatus, RequestError } from './failure.ts';
import { explainThrown, listStopFacts } from './network-failure.ts';
import {
  buildRequest,
  type ClientOptions,
  createRedactor,
  type Request,
  type RequestSpec,
} from './request.ts';
import { type Response, type ResponseHeaders, readHonorsKeys } from './response.ts';
import { type Connections, openConnections, watchSending } from './undici.ts';

export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly honorsKeys: boolean | undefined;
}

interface SentExchange extends Exchange {
  /** An earlier attempt of the same call may have been applied: what is replayed may be its own. */
  readonly mayRepeat: boolean;
}

/** Sends requests; every failure is a RequestError. */
export interface Sender {
  send(spec: RequestSpec): Promise<SentExchange>;
  sendOnce(spec: RequestSpec): Promise<Exchange>;
  hasWritten(): boolean;
  close(): Promise<void>;
}

const TOTAL_MS = 120_000;

const MAX_RETRY_AFTER_S = 60;
const BASE_MS = 200;
const MAX_DELAY_MS = 10_000;

/** @param askForKeys the request whose response says whether idempotency keys are honored. */
export function createSender(options: ClientOptions, askForKeys: RequestSpec): Sender {
  const { apiKey, proxy, timeoutMs = 30_000, retries = 2, signal, trace } = options;
  const connections = openConnections(proxy, timeoutMs);
  const sendWatch = watchSending();
  const redact = createRedactor(apiKey);
  let honorsKeys: boolean | undefined;
  let hasWritten = false;

  const build = (spec: RequestSpec) => buildRequest(spec, apiKey, redact);
  const attempt = async (request: Request, remainingMs = TOTAL_MS): Promise<Exchange> => {
    const limitMs = Math.max(1, Math.min(timeoutMs, remainingMs));
    const isWrite = request.method === 'POST';
    const stop = isWrite && options.finishesWrites ? undefined : signal;
    const deadline = startDeadline(limitMs, stop);
    const startedAt = performance.now();
    const traceEnd = (text: string) =>
      trace?.('<', `${text} (${Math.round(performance.now() - startedAt)} ms)`);
    const { method, url, id, headers, body = '' } = request;
    trace?.('>', `${method} ${redact(url.href)} (request ${id})`);
    traceMessage(options, '>', redact, { headers, body });
    try {
      const response = await exchange(connections, request, deadline);
      hasWritten ||= isWrite;
      honorsKeys ??= readHonorsKeys(response);
      traceEnd(String(response.status));
      traceMessage(options, '<', redact, response);
      if (response.status < 200 || response.status > 299) throw explainStatus(request, response);
      return { request, response, honorsKeys };
    } catch (thrown) {
      const wasSent = sendWatch.take(request.id);
      hasWritten ||= isWrite && wasSent;
      if (thrown instanceof RequestError) throw thrown;
      const timedOutMs = deadline.isOver() ? Math.round(limitMs) : undefined;
      const context = { request, proxy, timeoutMs: timedOutMs, wasSent, signal: stop };
      const error = explainThrown(thrown, context);
      traceEnd(error.message);
      throw error;
    } finally {
      deadline.clear();
      sendWatch.take(request.id);
    }
  };
  const maySendAgain = async (isSafe: boolean, remainingMs: () => number) => {
    if (isSafe) return true;
    if (honorsKeys === undefined) await attempt(build(askForKeys), remainingMs()).catch(ignore);
    return honorsKeys === true;
  };
  const send = async (spec: RequestSpec) => {
    const request = build(spec);
    const endsAt = performance.now() + TOTAL_MS;
    const remainingMs = () => endsAt - performance.now();
    let mayRepeat = false;
    for (let attempts = 1; ; attempts += 1) {
      const result = await attempt(request, remainingMs()).catch(requireRequestError);
      if (!(result instanceof RequestError)) return { ...result, mayRepeat };
      mayRepeat ||= result.outcome === 'unknown';
      const outcome = mayRepeat ? 'unknown' : result.outcome;
      const delay = chooseDelay(attempts, result.retryAfter);
      const mayRetry = result.isTransient && attempts <= retries && delay < remainingMs();
      const isSafe = spec.method !== 'POST' || outcome === 'not_sent';
      if (!mayRetry || !(await maySendAgain(isSafe, remainingMs)) || delay > remainingMs()) {
        throw result.amend({ outcome, honorsKeys });
      }
      trace?.('*', `retrying in ${Math.round(delay)} ms: ${result.message}`);
      await pause(delay, undefined, { signal }).catch(ignore);
      if (signal?.aborted) throw result.amend({ outcome, honorsKeys, ...listStopFacts(signal) });
    }
  };
  return {
    send,
    sendOnce: (spec) => attempt(build(spec)),
    hasWritten: () => hasWritten,
    async close() {
      sendWatch.close();
      await connections.destroy();
    },
  };
}

function ignore(): void {}

function requireRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  throw error;
}

/**
 * Milliseconds until the next attempt: full jitter over a doubling span, on top of what the service asked for, so that not
 * all clients return at once. Infinite where it asked for a longer wait than we take.
 */
export function chooseDelay(attempts: number, retryAfter = 0): number {
  if (retryAfter > MAX_RETRY_AFTER_S) return Infinity;
  return retryAfter * 1000 + Math.random() * Math.min(MAX_DELAY_MS, BASE_MS * 2 ** attempts);
}

type Deadline = ReturnType<typeof startDeadline>;

async function exchange(
  { dispatcher }: Connections,
  { method, url, headers, body }: Request,
  { signal, over }: Deadline,
): Promise<Response> {
  const path = url.pathname + url.search;
  const line = { origin: url.origin, path, method, headers };
  const sent = dispatcher.request({ ...line, body: body ?? null, signal });
  // undici notices its signal only once there is a connection.
  const response = await Promise.race([sent, over]);
  const bytes = await Promise.race([response.body.bytes(), over]);
  return { status: response.statusCode, headers: response.headers, body: bytes };
}

/** One controller per attempt: `AbortSignal.any` and `AbortSignal.timeout` slow a large import down. */
function startDeadline(timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort();
  }, timeoutMs);
  const stop = () => controller.abort();
  const over = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  return {
    signal: controller.signal,
    over,
    isOver: () => isOver,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}

function traceMessage(
  { trace, tracesBodies }: ClientOptions,
  mark: '>' | '<',
  redact: Request['redact'],
  { headers, body }: { readonly headers: ResponseHeaders; readonly body: string | Uint8Array },
): void {
  if (!trace || !tracesBodies) return;
  for (const [name, value] of Object.entries(headers)) {
    // The redactor leaves short keys alone, because they are parts of words.
    const shown = name === 'Authorization' ? 'Bearer [redacted]' : [value ?? ''].flat().join(', ');
    trace(mark, redact(`${name}: ${shown}`));
  }
  if (body.length === 0) return;
  for (const line of redact(Buffer.from(body).toString()).split('\n')) trace(mark, line);
}

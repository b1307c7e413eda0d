import type { AttemptResult, ResponseHeaders } from './attempt.ts';
import type { RequestEvent } from './client-options.ts';
import type { Request } from './request.ts';
import type { RequestLine } from './request-error.ts';

/** Redacts the key in a text: a service may repeat what it was sent. */
export type Redact = (text: string) => string;

/** What is shorter is part of many words, and no secret. */
const SHORTEST_KEY = 8;

export function createRedactor(apiKey = ''): Redact {
  if (apiKey.length < SHORTEST_KEY) return (text) => text;
  return (text) => text.replaceAll(apiKey, '[redacted]');
}

/** Reports attempts to an observer, the key redacted. */
export function createTrace(observe: (event: RequestEvent) => void, redact: Redact) {
  return {
    request({ headers, body }: Request, request: RequestLine): void {
      observe({ kind: 'request', request, headers: redactHeaders(headers, redact), body });
    },
    result(result: AttemptResult, request: RequestLine, ms: number): void {
      if ('error' in result) {
        const { error } = result;
        const reason = error instanceof Error ? error.message : String(error);
        observe({ kind: 'failure', request, reason, ms });
        return;
      }
      const { status, headers, body } = result.response;
      const text = redact(Buffer.from(body).toString('utf8'));
      observe({
        kind: 'response',
        request,
        status,
        headers: redactHeaders(headers, redact),
        body: text,
        ms,
      });
    },
    retry(reason: string, request: RequestLine, delayMs: number): void {
      observe({ kind: 'retry', request, reason, delayMs });
    },
  };
}

function redactHeaders(headers: ResponseHeaders, redact: Redact): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      // Of any length: a short key is a word elsewhere.
      name === 'Authorization' ? 'Bearer [redacted]' : redact([value ?? ''].flat().join(', ')),
    ]),
  );
}

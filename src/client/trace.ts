import type { AttemptResult, ResponseHeaders } from './attempt.ts';
import type { RequestEvent } from './client-options.ts';
import type { Request } from './request.ts';
import type { RequestLine } from './request-error.ts';

/** Takes the key out of a text: a service may repeat what it was sent. */
export type Redact = (text: string) => string;

export function createRedactor(apiKey: string | undefined): Redact {
  return (text) => (apiKey ? text.replaceAll(apiKey, '[redacted]') : text);
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
    Object.entries(headers).map(([name, value]) => [name, redact([value ?? ''].flat().join(', '))]),
  );
}

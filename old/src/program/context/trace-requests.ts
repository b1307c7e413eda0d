import { describeFailure } from '../../client/request-error.ts';
import type { Trace } from '../../client/requests/send-request.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Writes requests to stderr: -v lines, -vv headers, -vvv bodies. The terminal redacts keys. */
export function traceRequests(terminal: Terminal): Trace {
  const { verbosity } = terminal;
  const writeLines = (mark: string, text: string) => {
    for (const line of text.split('\n')) terminal.trace(`${mark} ${line}`);
  };
  const writeHeaders = (mark: string, headers: Record<string, string | string[] | undefined>) => {
    if (verbosity < 2) return;
    for (const [name, value] of Object.entries(headers)) writeLines(mark, `${name}: ${value}`);
  };
  const writeBody = (mark: string, body: string | undefined) => {
    if (verbosity === 3 && body) writeLines(mark, body);
  };
  return {
    request({ method, url, headers, body }) {
      writeLines('>', `${method} ${url.href}`);
      writeHeaders('>', headers);
      writeBody('>', body);
    },
    result(_, result, ms) {
      const { response } = result;
      const what = response
        ? String(response.status)
        : result.ok
          ? ''
          : describeFailure(result.failure);
      writeLines('<', `${what} (${Math.round(ms)} ms)`);
      writeHeaders('<', response?.headers ?? {});
      writeBody('<', response?.body);
    },
    retry: (failure, ms) =>
      writeLines('*', `retry in ${Math.round(ms)} ms, after ${describeFailure(failure)}`),
  };
}

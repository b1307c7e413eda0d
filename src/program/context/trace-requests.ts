import { describeFailure } from '../../client/request-error.ts';
import type { Trace } from '../../client/trace.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Shows requests on stderr: once verbose lines, twice headers, three times bodies. Keys are taken out where bytes leave. */
export function traceRequests(terminal: Terminal): Trace {
  const { verbosity } = terminal;
  if (verbosity === 0) return {};
  const say = (mark: string, text: string) => {
    for (const line of text.split('\n')) terminal.trace(`${mark} ${line}`);
  };
  const sayHeaders = (mark: string, headers: Record<string, string | string[] | undefined>) => {
    if (verbosity < 2) return;
    for (const [name, value] of Object.entries(headers)) say(mark, `${name}: ${value}`);
  };
  const sayBody = (mark: string, body: string | undefined) => {
    if (verbosity === 3 && body) say(mark, body);
  };
  return {
    request({ method, url, headers, body }) {
      say('>', `${method} ${url.href}`);
      sayHeaders('>', headers);
      sayBody('>', body);
    },
    result(_, result, ms) {
      const { response } = result;
      const what = response
        ? String(response.status)
        : result.ok
          ? ''
          : describeFailure(result.failure);
      say('<', `${what} (${Math.round(ms)} ms)`);
      sayHeaders('<', response?.headers ?? {});
      sayBody('<', response?.body);
    },
    retry: (failure, ms) =>
      say('*', `again in ${Math.round(ms)} ms, after ${describeFailure(failure)}`),
  };
}

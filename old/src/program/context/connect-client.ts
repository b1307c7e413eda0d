import type { PetstoreClient } from '../../client/client.ts';
import type { Trace } from '../../client/requests/send-request.ts';
import type { Target } from '../../config/environments/environments.ts';
import type { ProxyChoice } from '../../config/settings/proxy.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Recovery, TypedPet } from './connection.ts';
import type { Context, Host } from './context.ts';

/** What one command needs to differ. */
export interface ClientOverrides {
  /** Ends every request, in place of the program's own signal. */
  signal?: AbortSignal;
  /** Retries per request, unless --retries says. */
  retries?: number;
  onRetry?: Trace['retry'];
  onResult?: Trace['result'];
  /** What to run should the outcome of the next write stay unknown. */
  recovery?: Recovery;
  /** What was typed at prompts for the pet that is added next. */
  typed?: TypedPet;
}

/** A client of one environment with one key, by the global options, which the caller closes. */
export async function connectClient(
  host: Host,
  { options, terminal, state }: Pick<Context, 'options' | 'terminal' | 'state'>,
  { target, key, proxy }: { target: Target; key: string; proxy: ProxyChoice },
  overrides: ClientOverrides,
): Promise<PetstoreClient> {
  const [{ createPetstoreClient }] = await loadClient();
  const trace = await openTrace(terminal);
  const retries = options.retries ?? overrides.retries;
  return createPetstoreClient({
    baseUrl: target.url,
    apiKey: key,
    signal: overrides.signal ?? host.signal,
    trace: {
      ...trace,
      result(...event) {
        trace.result?.(...event);
        overrides.onResult?.(...event);
      },
      retry(failure, ms) {
        trace.retry?.(failure, ms);
        if (overrides.onRetry) overrides.onRetry(failure, ms);
        else noticeWait(terminal, target, ms);
      },
    },
    proxy: toProxySettings(proxy),
    dispatcher: host.dispatcher,
    // The service may be out of reach when it matters.
    recallIdempotency: () => state.read().idempotentServices.includes(target.url),
    ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
    ...(retries === undefined ? {} : { retries }),
  });
}

/** Which proxy is used was decided here, so that nothing below decides otherwise. */
function toProxySettings({ setting: { value } }: ProxyChoice) {
  return value === undefined ? undefined : { httpProxy: '', httpsProxy: value, noProxy: '' };
}

/** A pause that a person would wonder about is explained, by one line per retry at most. */
function noticeWait(terminal: Terminal, { name }: Target, ms: number): void {
  if (ms < 2_000) return;
  const seconds = Math.round(ms / 1000);
  terminal.notice(`${name} is busy; retrying in ${seconds} s`, { environment: name, seconds });
}

/** All that the first request needs, undici included, which is by far the largest part of it. */
export function loadClient() {
  return Promise.all([
    import('../../client/client.ts'),
    import('../../client/transport/undici.ts'),
  ]);
}

async function openTrace(terminal: Terminal): Promise<Trace> {
  if (terminal.verbosity === 0) return {};
  return (await import('./trace-requests.ts')).traceRequests(terminal);
}

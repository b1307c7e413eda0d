import type { PetstoreClient } from '../../client/client.ts';
import type { Trace } from '../../client/requests/send-request.ts';
import type { Target } from '../../config/environments/environments.ts';
import type { ApiKey } from '../../config/keys/keys.ts';
import { requireCertificateChecks } from '../../config/settings/network-settings.ts';
import { findProxy, type ProxyChoice, stripCredentials } from '../../config/settings/proxy.ts';
import { describeSource } from '../../config/settings/setting.ts';
import type { KeyInfo } from '../../contract/key-info.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Context, Host } from './context.ts';
import { createKeyWatch, recordKeyInfo } from './watch-key.ts';

/** The way to the service. Nothing is opened before the first request is about to be sent. */
export interface Connection {
  /** The client for the selected environment, with its key. @throws UserError when URL or key are missing. */
  client(overrides?: ClientOverrides): Promise<PetstoreClient>;
  /** A client for any environment with any key, which the caller closes. */
  connect(target: Target, key: string, overrides?: ClientOverrides): Promise<PetstoreClient>;
  /** Where requests went so far, for error reports. */
  requestTarget(): RequestTarget;
  /** Ends what `client` opened. */
  close(): Promise<void>;
}

/** What one command needs to differ. */
interface ClientOverrides {
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

/** A pet that was typed at prompts: a failure must not lose it. */
interface TypedPet {
  name: string;
  /** The command line that adds it. */
  line: string;
}

/** Command lines for a write of unknown outcome. */
interface Recovery {
  /** Repeats it under its idempotency key: not a second time where the service honors keys. */
  rerun: string;
  /** Shows whether it was done. */
  lookUp: string;
}

/** Where requests of this run go, with which key, and how to recover a write, as far as it is known. */
export interface RequestTarget {
  target?: Target;
  key?: ApiKey;
  /** What the latest response said of the key. */
  keyInfo?(): KeyInfo | undefined;
  /** Without user and password. */
  proxy?: { url: string; from: string };
  /** A variable that looks like a proxy and is not used. */
  unusedProxy?: string;
  recovery?: Recovery;
  typed?: TypedPet;
}

export function createConnection(
  host: Host,
  {
    options,
    terminal,
    environments,
    keys,
    state,
  }: Pick<Context, 'options' | 'terminal' | 'environments' | 'keys' | 'state'>,
): Connection {
  const watch = createKeyWatch();
  const requestTarget: RequestTarget = { keyInfo: watch.info };
  let opening: Promise<PetstoreClient> | undefined;
  /** With a signal of its own. */
  let openingOwn: Promise<PetstoreClient> | undefined;
  const connect = async (target: Target, key: string, overrides: ClientOverrides = {}) => {
    const proxy = findProxy(host.variables, target.url);
    requireSafeWay(host, target);
    Object.assign(requestTarget, describeProxy(proxy));
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
  };
  const open = async (overrides: ClientOverrides) => {
    const target = environments.target();
    const { target: earlier, key: earlierKey } = requestTarget;
    const isSame = earlier?.name === target.name && earlier.url === target.url;
    requestTarget.target = target;
    // Before the keychain, which may ask for a password.
    requireSafeWay(host, target);
    const finding = (isSame ? earlierKey : undefined) ?? keys.find(target);
    // The keychain is read by another process, which is started first; meanwhile this one loads the client.
    const loading = nextTurn().then(loadClient);
    const [key] = await Promise.all([finding, loading]);
    requestTarget.key = key;
    return await connect(target, key.value, {
      ...overrides,
      onResult(...event) {
        watch.note(event[1]);
        overrides.onResult?.(...event);
      },
    });
  };
  return {
    connect,
    client(overrides = {}) {
      // Each write of a run has its own.
      if (overrides.recovery !== undefined) requestTarget.recovery = overrides.recovery;
      if (overrides.typed !== undefined) requestTarget.typed = overrides.typed;
      if (overrides.signal === undefined) {
        opening ??= open(overrides);
        return opening;
      }
      // The first client would end its requests with the program, and not when its user says.
      openingOwn ??= open(overrides);
      return openingOwn;
    },
    requestTarget: () => requestTarget,
    close: async () => {
      // A connection that could not be opened was reported when it was asked for.
      for (const one of [opening, openingOwn]) {
        const client = await one?.catch(() => undefined);
        await client?.close();
      }
      const { target, key } = requestTarget;
      const info = watch.info();
      if (target === undefined || key === undefined || info === undefined) return;
      await recordKeyInfo({ keys, state, terminal, clock: host.clock }, target, key, info);
    },
  };
}

function requireSafeWay({ variables }: Host, { url }: Target): void {
  if (new URL(url).protocol === 'https:') requireCertificateChecks(variables);
}

/** Which proxy is used was decided here, so that nothing below decides otherwise. */
function toProxySettings({ setting: { value } }: ProxyChoice) {
  return value === undefined ? undefined : { httpProxy: '', httpsProxy: value, noProxy: '' };
}

function describeProxy({
  setting,
  unused,
}: ProxyChoice): Pick<RequestTarget, 'proxy' | 'unusedProxy'> {
  const { value, source } = setting;
  return {
    ...(value !== undefined && {
      proxy: { url: stripCredentials(value), from: describeSource(source) },
    }),
    ...(unused !== undefined && { unusedProxy: unused }),
  };
}

/** A pause that a person would wonder about is explained, by one line per retry at most. */
function noticeWait(terminal: Terminal, { name }: Target, ms: number): void {
  if (ms < 2_000) return;
  const seconds = Math.round(ms / 1000);
  terminal.notice(`${name} is busy; retrying in ${seconds} s`, { environment: name, seconds });
}

/** After what waits already: the child process of the keychain starts first. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** All that the first request needs, undici included, which is by far the largest part of it. */
function loadClient() {
  return Promise.all([
    import('../../client/client.ts'),
    import('../../client/transport/undici.ts'),
  ]);
}

async function openTrace(terminal: Terminal): Promise<Trace> {
  if (terminal.verbosity === 0) return {};
  return (await import('./trace-requests.ts')).traceRequests(terminal);
}

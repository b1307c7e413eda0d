import type { PetstoreClient } from '../../client/client.ts';
import type { Target } from '../../config/environments/environments.ts';
import type { ApiKey } from '../../config/keys/keys.ts';
import { requireCertificateChecks } from '../../config/settings/network-settings.ts';
import { findProxy, type ProxyChoice, stripCredentials } from '../../config/settings/proxy.ts';
import { describeSource } from '../../config/settings/setting.ts';
import type { KeyInfo } from '../../contract/key-info.ts';
import { type ClientOverrides, connectClient, loadClient } from './connect-client.ts';
import type { Context, Host } from './context.ts';
import { createKeyWatch, type KeyWatch, recordKeyInfo } from './watch-key.ts';

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

/** A pet that was typed at prompts: a failure must not lose it. */
export interface TypedPet {
  name: string;
  /** The command line that adds it. */
  line: string;
}

/** Command lines for a write of unknown outcome. */
export interface Recovery {
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

/** What a connection is made of; where its requests go becomes known bit by bit. */
interface Session {
  readonly host: Host;
  readonly parts: Pick<Context, 'options' | 'terminal' | 'environments' | 'keys' | 'state'>;
  readonly watch: KeyWatch;
  readonly requestTarget: RequestTarget;
}

export function createConnection(host: Host, parts: Session['parts']): Connection {
  const watch = createKeyWatch();
  const requestTarget: RequestTarget = { keyInfo: watch.info };
  const session: Session = { host, parts, watch, requestTarget };
  let opening: Promise<PetstoreClient> | undefined;
  /** With a signal of its own. */
  let openingOwn: Promise<PetstoreClient> | undefined;
  return {
    connect: (target, key, overrides = {}) => connect(session, { target, key }, overrides),
    client(overrides = {}) {
      // Each write of a run has its own.
      if (overrides.recovery !== undefined) requestTarget.recovery = overrides.recovery;
      if (overrides.typed !== undefined) requestTarget.typed = overrides.typed;
      if (overrides.signal === undefined) {
        opening ??= openSelected(session, overrides);
        return opening;
      }
      // The first client would end its requests with the program, and not when its user says.
      openingOwn ??= openSelected(session, overrides);
      return openingOwn;
    },
    requestTarget: () => requestTarget,
    close: async () => {
      // A connection that could not be opened was reported when it was asked for.
      for (const one of [opening, openingOwn]) {
        const client = await one?.catch(() => undefined);
        await client?.close();
      }
      await rememberKey(session);
    },
  };
}

async function connect(
  { host, parts, requestTarget }: Session,
  { target, key }: { target: Target; key: string },
  overrides: ClientOverrides,
): Promise<PetstoreClient> {
  const proxy = findProxy(host.variables, target.url);
  requireSafeWay(host, target);
  Object.assign(requestTarget, describeProxy(proxy));
  return await connectClient(host, parts, { target, key, proxy }, overrides);
}

/** The client for the selected environment, with its key. */
async function openSelected(session: Session, overrides: ClientOverrides): Promise<PetstoreClient> {
  const { host, parts, watch, requestTarget } = session;
  const target = parts.environments.target();
  const { target: earlier, key: earlierKey } = requestTarget;
  const isSame = earlier?.name === target.name && earlier.url === target.url;
  requestTarget.target = target;
  // Before the keychain, which may ask for a password.
  requireSafeWay(host, target);
  const finding = (isSame ? earlierKey : undefined) ?? parts.keys.find(target);
  // The keychain is read by another process, which is started first; meanwhile this one loads the client.
  const loading = nextTurn().then(loadClient);
  const [key] = await Promise.all([finding, loading]);
  requestTarget.key = key;
  const onResult: ClientOverrides['onResult'] = (...event) => {
    watch.note(event[1]);
    overrides.onResult?.(...event);
  };
  return await connect(session, { target, key: key.value }, { ...overrides, onResult });
}

/** Stores what the last response said of the key. */
async function rememberKey({ host, parts, watch, requestTarget }: Session): Promise<void> {
  const { keys, state, terminal } = parts;
  const { target, key } = requestTarget;
  const info = watch.info();
  if (target === undefined || key === undefined || info === undefined) return;
  await recordKeyInfo({ keys, state, terminal, clock: host.clock }, target, key, info);
}

function requireSafeWay({ variables }: Host, { url }: Target): void {
  if (new URL(url).protocol === 'https:') requireCertificateChecks(variables);
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

/** After what waits already: the child process of the keychain starts first. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { BASE_PATH } from '../contract/operations.ts';
import { buildContext } from './build-context.ts';
import { defaultLimits, type Limits } from './http/admission.ts';
import { createHttpServer } from './http/server.ts';
import { stopServer, trackUnusedConnections } from './http/stop-server.ts';
import { readTlsIdentity, reloadTlsIdentity, type TlsFiles } from './http/tls-identity.ts';
import { createLog, type LogLevel } from './monitoring/log.ts';
import { openMetricsServer, portOf } from './monitoring/metrics-server.ts';
import { openStore } from './storage/databases.ts';
import type { Store } from './storage/store.ts';

export interface ServiceOptions extends TlsFiles {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** `sqlite:<path>`, `sqlite::memory:` or `postgres://user@host/database`. */
  readonly database: string;
  /** The instant by which getPet is judged, to rehearse its removal. */
  readonly asOf?: Date | undefined;
  readonly behindProxy: boolean;
  /** Where /metrics is served on 127.0.0.1; nowhere unless given. */
  readonly metricsPort?: number | undefined;
  readonly docs: boolean;
  readonly logLevel: LogLevel;
  readonly writeLog: (line: string) => void;
  /** The time by which keys and idempotency records age. */
  readonly now: () => Date;
  readonly limits?: Partial<Limits> | undefined;
}

export interface RunningService {
  /** The base URL, ending in /v1. */
  readonly url: string;
  readonly metricsUrl: string | undefined;
  readonly store: Store;
  /** Uses what the TLS files hold now for new connections. */
  reloadTls(): void;
  /** Stops accepting, finishes what is in flight, writes what is only in memory, closes the database. */
  close(): Promise<void>;
}

/** How often the last uses of keys are written, in milliseconds. */
const FLUSH_MS = 60_000;

/**
 * Opens the database, builds the service over it and listens.
 * @throws StoreOpenError, SettingError, and what `listen` throws when the port is taken.
 */
export async function openService(options: ServiceOptions): Promise<RunningService> {
  const opened: (() => unknown)[] = [];
  try {
    const service = await openParts(options, (close) => opened.push(close));
    return { ...service, close: () => closeAll(opened) };
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

async function openParts(
  options: ServiceOptions,
  onClose: (close: () => unknown) => void,
): Promise<Omit<RunningService, 'close'>> {
  const identity = readTlsIdentity(options);
  const limits = { ...defaultLimits, ...options.limits };
  const log = createLog(options.writeLog, options.logLevel);
  onClose(() => log.info?.('stopped'));

  const store = await openStore(options.database);
  onClose(() => store.close());
  const { context, uses } = buildContext(store, log, options);
  onClose(() => uses.flush());
  const flushing = setInterval(() => void uses.flush(), FLUSH_MS);
  onClose(() => clearInterval(flushing));

  const { docs, behindProxy, host, port } = options;
  const server = createHttpServer(context, { docs, behindProxy, limits, identity });
  const closeUnused = trackUnusedConnections(server);
  onClose(() => stopServer(server, closeUnused));
  const metrics = await openMetricsServer(options.metricsPort, context, server);
  onClose(() => metrics?.close());

  server.listen(port, host);
  await once(server, 'listening');
  const url = `${identity === undefined ? 'http' : 'https'}://${formatHost(host)}:${portOf(server.address())}${BASE_PATH}`;
  log.info?.('listening', { url, metricsUrl: metrics?.url });
  return {
    url,
    metricsUrl: metrics?.url,
    store,
    reloadTls: () => reloadTlsIdentity(server, options, log),
  };
}

/** A host as a URL has it. */
function formatHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

/** Closes in the reverse order of opening. */
async function closeAll(opened: (() => unknown)[]): Promise<void> {
  for (let close = opened.pop(); close !== undefined; close = opened.pop()) await close();
}

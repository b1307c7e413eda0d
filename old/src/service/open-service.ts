import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { BASE_PATH } from '../contract/operations.ts';
import { type Clocks, createContext } from './context.ts';
import { type AdmissionSettings, createAdmission } from './http/admission/admission.ts';
import { createRefusals } from './http/admission/refusals.ts';
import { createResponseCaches } from './http/response-cache.ts';
import { createHttpServer } from './http/server/http-server.ts';
import { listen } from './http/server/listen.ts';
import { stopServers } from './http/server/stop-server.ts';
import { readTlsIdentity, reloadTlsIdentity, type TlsFiles } from './http/server/tls-identity.ts';
import { createLog, type LogLevel } from './monitoring/log.ts';
import type { Obstacles } from './monitoring/obstacles.ts';
import { openReadiness } from './monitoring/readiness.ts';
import { openMonitoringServer } from './monitoring-server.ts';
import { createServiceRouter } from './routes/routes.ts';
import { openStore } from './storage/databases.ts';
import type { Store } from './storage/store.ts';

export interface ServiceOptions extends TlsFiles, Clocks, AdmissionSettings {
  /** `localhost` stands for each of its addresses. */
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** `sqlite:<path>`, `sqlite::memory:` or `postgres://user@host/database`. */
  readonly database: string;
  readonly docs: boolean;
  /** Where /metrics, /healthz and /readyz are served on 127.0.0.1 as well; nowhere unless given. */
  readonly metricsPort?: number | undefined;
  readonly logLevel: LogLevel;
  readonly writeLog: (line: string) => void;
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

/** How long they may delay the end of the service, in milliseconds: they are not worth more. */
const LAST_FLUSH_MS = 500;

/**
 * Opens the database, builds the service over it and listens.
 * @throws StoreOpenError, SettingError, ListenError
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
  const log = createLog(options.writeLog, options.logLevel);
  onClose(() => log.info?.('stopped'));
  onClose(log.flush);

  const cache = createResponseCaches();
  const obstacles: Obstacles = {};
  const onReconnect = () => {
    cache.clear();
    obstacles.malformed = undefined;
  };
  const store = await openStore(options.database, { isShared: false, onReconnect });
  onClose(() => store.close());
  const readiness = openReadiness(store, log, obstacles);
  onClose(readiness.close);
  const context = createContext(readiness, cache, log, options);
  const { flush } = context.lastUsed;
  onClose(() => Promise.race([flush(), pause(LAST_FLUSH_MS, undefined, { ref: false })]));
  const flushing = setInterval(flush, FLUSH_MS);
  onClose(() => clearInterval(flushing));

  const addresses = findAddresses(options.host);
  const admission = createAdmission(options, createRefusals(log));
  onClose(admission.connections.close);
  const { metricsPort } = options;
  // Before clients are served: one that is taken ends the start. Monitoring also sees the service stop.
  const monitoring =
    metricsPort === undefined
      ? undefined
      : await openMonitoringServer(metricsPort, context, admission);
  onClose(() => monitoring?.close());
  const settings = { ...options, findRoute: createServiceRouter(options) };
  const servers = addresses.map(() => createHttpServer(context, admission, settings, identity));
  onClose(() => stopServers(servers, admission, context.stopping));

  const port = await listen(servers, addresses, options.port, 'port');
  const scheme = identity === undefined ? 'http' : 'https';
  const url = `${scheme}://${formatHost(options.host)}:${port}${BASE_PATH}`;
  readiness.startServing();
  const metricsUrl = monitoring?.url;
  log.info?.('listening', { url, metricsUrl });
  return {
    url,
    metricsUrl,
    store: readiness.store,
    reloadTls: () => reloadTlsIdentity(servers, options, log),
  };
}

/** `localhost` is each loopback address that this machine has: clients may try either. */
function findAddresses(host: string): string[] {
  if (host !== 'localhost') return [host];
  const interfaces = Object.values(networkInterfaces()).flat();
  const hasIPv6 = interfaces.some((one) => one?.address === '::1');
  return hasIPv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
}

/** A host as a URL has it. */
function formatHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

/** Closes in the reverse order of opening. */
async function closeAll(opened: (() => unknown)[]): Promise<void> {
  for (let close = opened.pop(); close !== undefined; close = opened.pop()) await close();
}

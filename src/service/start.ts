import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { BASE_PATH } from '../contract/operations.ts';
import { messageOf } from '../errors.ts';
import { buildApp } from './app.ts';
import { startLastUsedRecorder } from './last-used.ts';
import { type ServiceLimits, serviceLimits } from './limits.ts';
import { listenApp, listenServer } from './listen.ts';
import type { ServeSettings } from './settings.ts';
import { createAddQueue } from './storage/add-queue.ts';
import type { Store } from './storage/store.ts';
import { readTlsPair, type TlsFiles } from './tls.ts';

export interface StartOptions {
  readonly settings: Omit<ServeSettings, 'database' | 'seed' | 'logLevel'>;
  /** Closed with the service; left open when the service cannot start. */
  readonly store: Store;
  readonly log: FastifyBaseLogger;
  readonly clock: () => Date;
  readonly limits?: ServiceLimits;
}

export interface RunningService {
  /** The base URL, with the port that was taken. */
  readonly url: string;
  /** Where `/metrics` is; undefined without a port for it. */
  readonly metricsUrl: string | undefined;
  /** Lets new connections use what the TLS files hold now. What cannot be used is logged, and the old pair stays. */
  reloadTls(): void;
  /** Finishes what is in flight and closes the store, within ten seconds. */
  close(): Promise<void>;
}

/** Milliseconds for closing the store. */
const CLOSE_MS = 1_000;

/** Runs the v1 service. @throws UserError `cli_file` for TLS files that cannot be used, `cli_listen` */
export async function startService(options: StartOptions): Promise<RunningService> {
  const { settings, store, log, clock, limits = serviceLimits } = options;
  const { host, port, metricsPort } = settings;
  const files = tlsFilesOf(settings);
  const tls = files && readTlsPair(files);
  const stopping = new AbortController();
  const keyUses = startLastUsedRecorder(store, (error) =>
    log.warn({ reason: messageOf(error) }, 'the last use of keys was not written'),
  );
  const metrics = metricsPort === undefined ? undefined : await loadMetrics();
  const metricsServer = metrics?.createServer();
  const app = await buildApp({
    ...{ settings, store, keyUses, limits, clock, log, tls, metrics },
    adds: createAddQueue(store, { clock, limit: limits.waitingAdds }),
    stopping: stopping.signal,
  });

  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  async function close(): Promise<void> {
    stopping.abort();
    log.info('stopping');
    if (app.server.listening) await pause(limits.drainMs);
    // Node's closeAllConnections knows nothing of those that are in a TLS handshake.
    const deadline = setTimeout(() => destroyAll(sockets), limits.finishMs);
    await app.close();
    clearTimeout(deadline);
    metricsServer?.close();
    metricsServer?.closeAllConnections();
    const closed = keyUses.close().then(() => store.close());
    await Promise.race([closed, pause(CLOSE_MS, undefined, { ref: false })]);
    log.info('stopped');
  }

  function reloadTls(): void {
    if (files === undefined || !(app.server instanceof TlsServer)) return;
    try {
      app.server.setSecureContext(readTlsPair(files));
      log.info('TLS files reloaded');
    } catch (error) {
      log.error({ reason: messageOf(error) }, 'the TLS files were not reloaded');
    }
  }

  async function listen() {
    const origin = await listenApp(app, { scheme: tls ? 'https' : 'http', host, port });
    const metricsAddress = { scheme: 'http', host: '127.0.0.1', port: metricsPort ?? 0 } as const;
    const metricsOrigin = metricsServer && (await listenServer(metricsServer, metricsAddress));
    return { url: origin + BASE_PATH, metricsUrl: metricsOrigin && `${metricsOrigin}/metrics` };
  }

  try {
    return { ...(await listen()), reloadTls, close };
  } catch (error) {
    await app.close();
    throw error;
  }
}

function destroyAll(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy();
}

function tlsFilesOf({ tlsCert, tlsKey }: StartOptions['settings']): TlsFiles | undefined {
  return tlsCert === undefined || tlsKey === undefined ? undefined : { tlsCert, tlsKey };
}

/** prom-client takes longer to load than most of the service. */
async function loadMetrics() {
  const { createMetrics } = await import('./hooks/metrics.ts');
  return createMetrics();
}

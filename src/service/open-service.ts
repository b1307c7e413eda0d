import { type AddressInfo, isIPv6 } from 'node:net';
import { buildApp } from './app.ts';
import { createLog, type LogLevel } from './log.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';

export interface ServiceOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** `sqlite:<path>` or `sqlite::memory:`. */
  readonly database: string;
  /** The instant by which getPet is judged, for a rehearsal of its removal. */
  readonly asOf?: Date | undefined;
  readonly logLevel: LogLevel;
  readonly writeLog: (line: string) => void;
}

export interface RunningService {
  /** The base address, ending in /v1. */
  readonly url: string;
  readonly store: Store;
  /** Stops accepting, finishes what is in flight and closes the database. */
  close(): Promise<void>;
}

/**
 * Opens the database, builds the service over it and listens.
 * @throws StoreOpenError when the database cannot be opened, and what `listen` throws when the port is taken.
 */
export async function openService(options: ServiceOptions): Promise<RunningService> {
  const log = createLog(options.writeLog, options.logLevel);
  const store = await openStore(options.database);
  const now = () => new Date();
  const app = buildApp({ store, log, now, getPetClock: () => options.asOf ?? now() });
  const close = async () => {
    await app.close();
    await store.close();
  };
  try {
    await app.listen({ host: options.host, port: options.port });
  } catch (error) {
    await close();
    throw error;
  }
  return { url: describeAddress(options.host, app.server.address()), store, close };
}

function describeAddress(host: string, address: AddressInfo | string | null): string {
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}/v1`;
}

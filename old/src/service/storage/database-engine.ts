import type { CopyEndpoint, CopyRole } from './copy/copy-endpoint.ts';
import type { Store, StoreSummary } from './store.ts';

export interface OpenStoreOptions {
  /** For a command that uses the database while a service may be running on it. */
  readonly isShared: boolean;
  /** Called when the database was connected to anew: another server may be behind it, without what was read before. */
  readonly onReconnect?: (() => void) | undefined;
}

/** A database URL of any engine as it may be shown: without its password. */
export function maskDatabaseUrl(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^:/?#@]*):.*@/i, '$1:…@');
}

/** One kind of database: everything that depends on which one a URL names. Its drivers are loaded when it is opened. */
export interface DatabaseEngine {
  /** How its URLs are written, for messages. */
  readonly urlForm: string;
  matches(url: string): boolean;
  /** Whether a store was ever created there. @throws StoreOpenError when that cannot be found out. */
  hasStore(url: string): Promise<boolean>;
  /** @throws StoreOpenError */
  openStore(url: string, options: OpenStoreOptions): Promise<Store>;
  /** @throws StoreOpenError */
  openCopyEndpoint(url: string, role: CopyRole): Promise<CopyEndpoint>;
  /** Reads all of a store, which may be in use, and changes nothing. @throws StoreOpenError when it is not whole. */
  checkStore(url: string): Promise<StoreSummary>;
  /**
   * Copies a store, which may be in use, as it is at one moment into a new file.
   * @throws StoreOpenError, and the signal's reason
   */
  backUpStore(url: string, file: string, signal: AbortSignal): Promise<StoreSummary>;
}

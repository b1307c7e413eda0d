import { readFileSync } from 'node:fs';
import { Server as TlsServer } from 'node:https';
import type { Server } from 'node:net';
import { createSecureContext } from 'node:tls';
import { messageOf } from '../../../errors.ts';
import type { Log } from '../../monitoring/log.ts';
import { SettingError } from '../../settings.ts';

/** A certificate chain and its private key, in PEM. */
export interface TlsIdentity {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The files that hold them; both or none. */
export interface TlsFiles {
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
}

/** Reads both files and makes sure that they can be used together; undefined when none are given. @throws SettingError */
export function readTlsIdentity({ tlsCert, tlsKey }: TlsFiles): TlsIdentity | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  try {
    const identity = { cert: readFileSync(tlsCert), key: readFileSync(tlsKey) };
    createSecureContext(identity);
    return identity;
  } catch (error) {
    const reason = messageOf(error);
    throw new SettingError(`--tls-cert ${tlsCert}, --tls-key ${tlsKey}: ${reason}`);
  }
}

/** Lets new connections use what the files hold now. What cannot be used is logged, and the old identity stays. */
export function reloadTlsIdentity(servers: readonly Server[], files: TlsFiles, log: Log): void {
  try {
    const identity = readTlsIdentity(files);
    if (identity === undefined) return;
    for (const server of servers)
      if (server instanceof TlsServer) server.setSecureContext(identity);
    log.info?.('certificate reloaded');
  } catch (error) {
    log.error?.('the certificate was not reloaded', { reason: String(error) });
  }
}

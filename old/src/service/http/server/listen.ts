import { once } from 'node:events';
import type { Server } from 'node:net';
import { messageOf } from '../../../errors.ts';

/** Connections that wait to be accepted, as far as the system allows: as many as may be open come at once when a proxy starts. */
const BACKLOG = 4_096;

/** A port on which a server could not listen. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly setting: PortSetting;
  readonly port: number;
  readonly isInUse: boolean;

  constructor(setting: PortSetting, port: number, cause: unknown) {
    super(messageOf(cause), { cause });
    this.setting = setting;
    this.port = port;
    this.isInUse = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
  }
}

/** The setting that chooses a port. */
type PortSetting = 'port' | 'metricsPort';

/**
 * Each server listens on an address of its own, all on one port, which is returned. Port 0 takes a free one.
 * @throws ListenError
 */
export async function listen(
  servers: readonly Server[],
  addresses: readonly string[],
  port: number,
  setting: PortSetting,
): Promise<number> {
  let shared = port;
  for (const [index, server] of servers.entries()) {
    try {
      server.listen({ port: shared, host: addresses[index], backlog: BACKLOG });
      await once(server, 'listening');
    } catch (error) {
      throw new ListenError(setting, shared, error);
    }
    shared = portOf(server) ?? shared;
  }
  return shared;
}

/** The port of a server that listens. */
export function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === 'object' ? address?.port : undefined;
}

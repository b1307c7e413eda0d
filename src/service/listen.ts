import { once } from 'node:events';
import { isIPv6, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { codeOf, messageOf, UserError } from '../errors.ts';
import { serviceLimits } from './limits.ts';

export interface Address {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** Connections that wait to be accepted: as many as may be open come at once when a proxy starts. */
const BACKLOG = serviceLimits.connections;

/** Lets a Fastify instance listen, and returns its origin with the port that was taken. @throws UserError `cli_listen` */
export async function listenApp(app: FastifyInstance, address: Address): Promise<string> {
  const { scheme, host, port } = address;
  const listening = app.listen({
    host,
    port,
    backlog: BACKLOG,
    // Fastify knows nothing of TLS here, since the server is made by `http-server`.
    listenTextResolver: (text) => `listening on ${text.replace('http', scheme)}`,
  });
  await explainListenFailure(listening, address);
  return formatOrigin(app.server, address);
}

/** The same for a server of Node. */
export async function listenServer(server: Server, address: Address): Promise<string> {
  server.listen(address);
  await explainListenFailure(once(server, 'listening'), address);
  return formatOrigin(server, address);
}

async function explainListenFailure(listening: Promise<unknown>, address: Address): Promise<void> {
  try {
    await listening;
  } catch (cause) {
    throw new UserError('cli_listen', describeListenFailure(cause, address), { cause });
  }
}

function describeListenFailure(cause: unknown, { host, port }: Address): string {
  if (isPortInUse(cause)) return `Port ${port} is in use by another program.`;
  const code = codeOf(cause);
  if (code === 'EACCES') return `This user may not listen on port ${port}: use one from 1024 on.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `There is no host ${host} to listen on.`;
  if (code === 'EADDRNOTAVAIL') return `${host} is not an address of this computer.`;
  return `The service cannot listen on ${host}, port ${port}: ${messageOf(cause)}.`;
}

export function isPortInUse(cause: unknown): boolean {
  return codeOf(cause) === 'EADDRINUSE';
}

function formatOrigin(server: Server, { scheme, host }: Address): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import type { Target } from './attack.ts';

/** Opens a connection that reads nothing until it is told to, and whose failures are nobody's concern. */
export async function openSocket({ port }: Pick<Target, 'port'>): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {});
  return socket;
}

export async function openSockets(target: Target, count: number): Promise<Socket[]> {
  return await Promise.all(Array.from({ length: count }, () => openSocket(target)));
}

export function closeSockets(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

/** Sockets that a process holds. */
export async function countSockets(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all(
    (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => '')),
  );
  return links.filter((link) => link.startsWith('socket:')).length;
}

export interface RequestText {
  readonly method?: string;
  readonly path: string;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request as it goes over the wire. */
export function formatRequest({ method = 'GET', path, key, headers = {}, body }: RequestText) {
  const lines = Object.entries({
    Host: '127.0.0.1',
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
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
  return (await listSockets(pid)).length;
}

/** How many of these connections to a process it still holds, whoever else is connected to it. */
export async function countHeld(pid: number, ports: readonly number[]): Promise<number> {
  const table = await readFile(`/proc/${pid}/net/tcp`, 'utf8');
  const held = new Set(await listSockets(pid));
  return table.split('\n').filter((line) => {
    const [, , peer = '', , , , , , , inode] = line.trim().split(/\s+/);
    const port = Number.parseInt(peer.split(':')[1] ?? '', 16);
    return ports.includes(port) && held.has(`socket:[${inode}]`);
  }).length;
}

async function listSockets(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all(
    (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => '')),
  );
  return links.filter((link) => link.startsWith('socket:'));
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

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { TestService } from './service.ts';
import { within } from './within.ts';

export interface OpenConnection {
  readonly socket: Socket;
  /** Everything that came back so far. */
  text(): string;
  /** How many responses came back so far, by status. */
  statuses(): string[];
  /** Resolves when the service has closed its side; fails when it does not, a second after the call. */
  closed(): Promise<void>;
  /** Resolves when the connection is gone; fails likewise. */
  gone(): Promise<void>;
}

/** Opens a connection that keeps its own side open; the test's end closes it. */
export async function openConnection(
  { url }: Pick<TestService, 'url'>,
  localAddress = '127.0.0.1',
): Promise<OpenConnection> {
  const port = Number(new URL(url).port);
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  const chunks: string[] = [];
  socket
    .on('error', () => {})
    .setEncoding('latin1')
    .on('data', (chunk: string) => chunks.push(chunk));
  const closed = new Promise<void>((resolve) =>
    socket.once('end', resolve).once('close', () => resolve()),
  );
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  const text = () => chunks.join('');
  return {
    ...{ socket, text },
    closed: () => within(closed, 'the service closes its side of the connection'),
    gone: () => within(gone, 'the connection is gone'),
    statuses: () => text().match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [],
  };
}

export const healthRequest = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';

export function listRequest(key: string): string {
  return `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

/** An add whose length or coding `field` says. */
export function addRequest(key: string, field: string, body: string): string {
  const fields = `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n${field}`;
  return `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\n${body}`;
}

/** The value of one sample of /metrics. */
export async function readMetric(
  { metricsUrl }: Pick<TestService, 'metricsUrl'>,
  sample: string,
): Promise<number> {
  const text = await (await fetch(metricsUrl ?? '')).text();
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return Number(line?.split(' ')[1]);
}

import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A connection on which a test sends what no client would. Destroyed at the end of the test. */
export interface RawConnection {
  readonly socket: Socket;
  send(bytes: string): void;
  /** Everything that came back, once the service has closed the connection. */
  readonly received: Promise<string>;
}

export function openRawConnection(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  const received = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
  return { socket, send: (bytes) => void socket.write(bytes), received };
}

/** Sends bytes and returns everything that came back until the service closed the connection. */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const { send, received } = openRawConnection(url);
  send(bytes);
  return await received;
}

/** The one response in what `sendRaw` returned, as `app.inject` has it. */
export function parseRaw(raw: string) {
  const [head = '', body = ''] = raw.split('\r\n\r\n', 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const headers: Record<string, string> = Object.fromEntries(fields);
  return { statusCode: Number(statusLine.split(' ')[1]), headers, body };
}

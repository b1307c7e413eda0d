import type { Socket } from 'node:net';
import type { RawBehavior, RawRequest } from '../raw-server.ts';

/** How a command ends: exit code, and for writes the outcome. */
interface Ending {
  list: number;
  get: number;
  add: [number, string];
  import: [number, string];
}

export interface Misbehavior {
  name: string;
  respond: RawBehavior;
  ending: Ending;
  /** Instead of the usual one, where much is sent. */
  timeout?: string;
}

export const succeeds: Ending = { list: 0, get: 0, add: [0, 'applied'], import: [0, 'applied'] };
/** What arrived cannot be understood: a write may have been applied. */
export const unreadable: Ending = { list: 7, get: 7, add: [9, 'unknown'], import: [9, 'unknown'] };
/** Nothing arrived. */
export const lost: Ending = { ...unreadable, list: 8, get: 8 };
/** Only a list is concerned. */
export const pagesOnly: Ending = { ...succeeds, list: 7 };

export const refused = (exitCode: number): Ending => ({
  list: exitCode,
  get: exitCode,
  add: [exitCode, 'not_applied'],
  import: [exitCode, 'not_applied'],
});
/** A row that is refused is a row that can be corrected. */
export const rejected: Ending = refused(6);

export const rex = '{"id":1,"name":"Rex","categoryId":7}';

function isList({ method, path }: RawRequest): boolean {
  return method === 'GET' && path.includes('?');
}

/** What a good service would send, made from one pet. */
export function bodyFor(request: RawRequest, pet = rex): string {
  return isList(request) ? `[${pet}]` : pet;
}

/** A complete response, which also sends back what the client must never show. */
export function format(
  request: RawRequest,
  status: string,
  body: string | Buffer,
  headers: readonly string[] = ['Content-Type: application/json'],
): Buffer {
  const echo =
    /^authorization: .*$/im.exec(request.head)?.[0].replace(/^\w+/, 'X-Echo') ?? 'X-Echo: 0';
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const head = [`HTTP/1.1 ${status}`, ...headers, length, echo, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}

export const statusOf = (request: RawRequest) =>
  request.method === 'POST' ? '201 Created' : '200 OK';

export function sends(
  name: string,
  ending: Ending,
  body: (request: RawRequest) => string | Buffer,
  headers?: (request: RawRequest) => string[],
): Misbehavior {
  return {
    name,
    ending,
    respond: (socket, request) =>
      void socket.write(format(request, statusOf(request), body(request), headers?.(request))),
  };
}

export function sendsPet(name: string, pet: string, ending = unreadable): Misbehavior {
  return sends(name, ending, (request) => bodyFor(request, pet));
}

export function fails(
  status: number,
  code: string,
  ending: Ending,
  ...headers: string[]
): Misbehavior {
  return {
    name: `${status} ${code}${headers.length > 0 ? ` with ${headers.join(', ')}` : ''}`,
    ending,
    respond(socket, request) {
      const key = /^authorization: (.*)$/im.exec(request.head)?.[1];
      const body = JSON.stringify({ code, message: `you sent ${key}`, status });
      const lines = ['Content-Type: application/json', ...headers];
      socket.write(format(request, `${status} X`, body, lines));
    },
  };
}

export function sendsPage(status: number, ending: Ending, body = '<h1>No</h1>'): Misbehavior {
  return {
    name: `a page with ${status}${body === '' ? ', empty' : ''}`,
    ending,
    respond: (socket, request) =>
      void socket.write(format(request, `${status} X`, body, ['Content-Type: text/html'])),
  };
}

export function acts(name: string, ending: Ending, respond: RawBehavior): Misbehavior {
  return { name, ending, respond };
}

export function sendsRaw(name: string, ending: Ending, text: string): Misbehavior {
  return acts(name, ending, (socket) => void socket.end(text, 'latin1'));
}

export function links(
  name: string,
  ending: Ending,
  link: (request: RawRequest) => string,
  pet = rex,
) {
  return sends(
    name,
    ending,
    (request) => (isList(request) && pet === '' ? '[]' : bodyFor(request, pet || rex)),
    (request) => ['Content-Type: application/json', `Link: ${link(request)}`],
  );
}

/** Writes again and again, as long as somebody reads. */
export function repeat(socket: Socket, text: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', write);
  write();
}

export const OK_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
export const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

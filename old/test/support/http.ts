import { connect, type Socket } from 'node:net';
import { type Dispatcher, request } from 'undici';
import { expect } from 'vitest';
import { parseJson } from '../../src/contract/json.ts';
import type { ErrorCode } from '../../src/contract/service-error.ts';
import type { TestService } from './service.ts';
import { within } from './within.ts';

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body with every int64 exact; undefined where there is none. */
  readonly body: unknown;
}

export interface CallOptions {
  readonly method?: Dispatcher.HttpMethod;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

/** Sends a request with the service's key, unless the headers hold another Authorization. Without `fetch`, which takes longer. */
export async function call(
  service: Pick<TestService, 'url' | 'key'>,
  path: string,
  { method = 'GET', headers = {}, body, signal }: CallOptions = {},
): Promise<TestResponse> {
  const response = await request(service.url + path, {
    method,
    headers: { authorization: `Bearer ${service.key}`, ...headers },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  });
  const text = await response.body.text();
  return {
    status: response.statusCode,
    headers: toHeaders(response.headers),
    text,
    body: text === '' ? undefined : parseJson(text),
  };
}

function toHeaders(fields: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(fields))
    for (const value of [values].flat()) headers.append(name, value);
  return headers;
}

/** Adds a pet by its JSON text. */
export async function post(
  service: Pick<TestService, 'url' | 'key'>,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return await call(service, '/pets', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}

/** Holds a response to what every failure looks like (contract, section 7). */
export function expectFailure(response: TestResponse, status: number, code: ErrorCode): void {
  expect(response.text).not.toBe('');
  const message = expect.stringMatching(/\w/);
  expect(response).toMatchObject({ status, body: { code, status, message } });
  expect(Object.keys(response.body ?? {}).sort()).toEqual(['code', 'message', 'status']);
  expect(response.headers.get('content-type')).toBe('application/json');
}

/** Sends bytes as they are and returns everything that came back until the service closed the connection. */
export async function sendRaw(
  url: string,
  bytes: string | Uint8Array,
  ms = 1_000,
): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  try {
    return await within(readAll(socket), 'the service responds and closes the connection', ms);
  } finally {
    socket.destroy();
  }
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

/** Reads the one response in what `sendRaw` returned. */
export function parseRaw(raw: string): TestResponse {
  const [head = '', text = ''] = raw.split('\r\n\r\n', 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const body = text === '' ? undefined : parseJson(text);
  return { status: Number(statusLine.split(' ')[1]), headers, text, body };
}

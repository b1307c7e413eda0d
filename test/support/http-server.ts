import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { onTestFinished } from 'vitest';

export interface TestServer {
  /** The base URL, ending in /v1. */
  readonly url: string;
  /** `GET /v1/pets?limit=20`, in the order of arrival. */
  readonly requests: readonly string[];
  readonly server: Server;
}

/** A server of the test's own, for what the real service never does; gone when the test is over. */
export async function startHttpServer(respond: RequestListener): Promise<TestServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    respond(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  });
  return { url: `http://127.0.0.1:${portOf(server)}/v1`, requests, server };
}

/** Responds to every request with this JSON text. */
export function respondJson(
  status: number,
  json: string,
  headers: Readonly<Record<string, string>> = {},
): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(json);
  };
}

/** The port that a listening server was given. */
export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

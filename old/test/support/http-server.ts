import { createServer, type RequestListener, type Server } from 'node:http';
import { onTestFinished } from 'vitest';

export interface TestServer {
  /** The base URL, ending in /v1. */
  url: string;
  /** `GET /v1/pets?limit=20`, in the order of arrival. */
  requests: string[];
  server: Server;
}

/** A server of the test's own, for what the real service never does. Gone when the test is over. */
export async function startHttpServer(respond: RequestListener): Promise<TestServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${portOf(server)}/v1`, requests, server };
}

/** Responds to every request with this JSON text. */
export function respondJson(
  status: number,
  json: string,
  headers: Record<string, string> = {},
): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(json);
  };
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

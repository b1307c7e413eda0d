import { createServer, request as forward, type Server } from 'node:http';
import { onTestFinished } from 'vitest';
import { portOf } from './http-server.ts';

/** Stands between a client and a service and loses answers. */
export interface LossyProxy {
  /** The base address, ending in /v1. */
  url: string;
  /** Answers lost so far; the service had acted on each of these requests. */
  lost(): number;
  /** From now on nothing is lost. */
  mend(): void;
}

/** @param loss the part of the answers to adds that is lost, from 0 to 1. */
export async function startLossyProxy(target: string, loss: number): Promise<LossyProxy> {
  const { hostname, port } = new URL(target);
  let lost = 0;
  let isMended = false;
  const server: Server = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const onward = forward({ hostname, port, method, path, headers }, (reply) => {
      const isLost = method === 'POST' && Math.random() < loss && !isMended;
      if (!isLost) {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
        return;
      }
      // Only once the service has answered in full is it sure to have acted.
      reply.resume().on('end', () => {
        lost += 1;
        request.socket.destroy();
      });
    });
    onward.on('error', () => request.socket.destroy());
    request.on('error', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return {
    url: `http://127.0.0.1:${portOf(server)}/v1`,
    lost: () => lost,
    mend: () => {
      isMended = true;
    },
  };
}

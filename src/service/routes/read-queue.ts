import type { FastifyRequest } from 'fastify';
import { ServiceError, unavailable } from '../service-error.ts';

/** Milliseconds of reading after which the event loop does what else there is. */
const TURN_MS = 5;

/** For the log. */
const clientGone = new ServiceError('unavailable', 'the client has gone');

/** Runs a read for a request. @throws ServiceError when too many wait, or the client has gone; and what the read throws */
export type ReadQueue = <Result>(
  request: Pick<FastifyRequest, 'socket'>,
  read: () => Result | Promise<Result>,
) => Promise<Result>;

/**
 * Lets reads take turns with everything else: one of SQLite stops the event loop, and thousands may be asked for at once.
 * @param limit reads that wait, at most
 */
export function createReadQueue(limit: number): ReadQueue {
  const waiting: (() => void)[] = [];

  function readSome(): void {
    const end = performance.now() + TURN_MS;
    do waiting.shift()?.();
    while (waiting.length > 0 && performance.now() < end);
    if (waiting.length > 0) setImmediate(readSome);
  }

  return ({ socket }, read) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= limit) {
        reject(unavailable('too many requests are waiting for the database: try again'));
        return;
      }
      if (waiting.length === 0) setImmediate(readSome);
      waiting.push(() => {
        if (socket.destroyed) return reject(clientGone);
        try {
          resolve(read());
        } catch (error) {
          reject(error);
        }
      });
    });
}

import { Agent, request as send } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, AttackOutcome, Target } from './attack.ts';

const CLIENTS = 64;
const WARM_UP_MS = 500;
/** Within what time of the first signal the service has ended, in milliseconds. */
const STOPPED_MS = 10_000;

/** What stops the service while clients use it. */
export const stopping: readonly Attack[] = [
  {
    name: `SIGTERM under ${CLIENTS} keep-alive clients`,
    database: 'sqlite',
    inSuite: true,
    endsService: true,
    run: (target) => stopUnderClients(target),
  },
  {
    name: `SIGTERM under ${CLIENTS} keep-alive clients while PostgreSQL is stopped`,
    database: 'postgres',
    inSuite: false,
    endsService: true,
    async run(target) {
      const frozen = await target.freezeDatabase();
      try {
        return await stopUnderClients(target);
      } finally {
        await frozen.thaw();
      }
    },
  },
];

interface Tally {
  isSignalled: boolean;
  responses: number;
  /** Requests cut off without a response that were sent before the signal or on a connection that had served before. */
  lost: number;
}

async function stopUnderClients(target: Target): Promise<AttackOutcome> {
  const tally: Tally = { isSignalled: false, responses: 0, lost: 0 };
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    useUntilGone(target, client, tally),
  );
  await pause(WARM_UP_MS);
  tally.isSignalled = true;
  const signalled = performance.now();
  const exit = await target.terminate();
  const milliseconds = Math.round(performance.now() - signalled);
  await Promise.all(clients);
  return {
    seen: `${tally.responses} responses, ${tally.lost} lost; ended with ${exit} after ${milliseconds} ms`,
    broken: [
      ...(tally.lost > 0 ? [`${tally.lost} requests cut off`] : []),
      ...(exit === 0 ? [] : [`ended with ${exit}`]),
      ...(milliseconds > STOPPED_MS ? [`took ${milliseconds} ms to end`] : []),
    ],
  };
}

/** Sends one request after the other until nobody listens any more. */
async function useUntilGone(target: Target, client: number, tally: Tally): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (;;) {
    const { isSignalled } = tally;
    const outcome = await sendOne(target, agent, { isAdd: client % 2 === 0, name: `${client}` });
    if (outcome === 'responded') tally.responses += 1;
    else if (outcome === 'lost' || !isSignalled) tally.lost += 1;
    if (outcome === 'gone') break;
  }
  agent.destroy();
}

/** A reset on a new connection counts as gone: it may have waited in the queue of a closed listener. */
async function sendOne(
  { port, key }: Target,
  agent: Agent,
  { isAdd, name }: { isAdd: boolean; name: string },
): Promise<'responded' | 'lost' | 'gone'> {
  const body = isAdd ? JSON.stringify({ name, categoryId: 1 }) : undefined;
  return await new Promise((resolve) => {
    const request = send({
      ...{ host: '127.0.0.1', port, agent, path: '/v1/pets', method: isAdd ? 'POST' : 'GET' },
      headers: {
        authorization: `Bearer ${key}`,
        ...(isAdd && { 'content-type': 'application/json' }),
      },
    });
    const fail = () => resolve(request.reusedSocket ? 'lost' : 'gone');
    request.once('error', fail);
    request.once('response', (response) => {
      response
        .resume()
        .once('end', () => resolve('responded'))
        .once('error', fail);
    });
    request.end(body);
  });
}

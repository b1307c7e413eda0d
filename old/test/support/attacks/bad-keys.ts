import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { formatApiKey } from '../../../src/contract/api-key.ts';
import { type Attack, type AttackOutcome, countOf, durationOf, type Target } from './attack.ts';
import { describeStatuses, mergeStatuses, sendPipelined } from './send-pipelined.ts';
import { closeSockets, formatRequest, openSockets } from './sockets.ts';

const SOCKETS = 8;

/** Keys that are not valid, by the ten thousand. */
export const badKeys: readonly Attack[] = [
  ...(['sqlite', 'postgres'] as const).map((database) => ({
    name: `100,000 requests, each with another invalid key (${database})`,
    database,
    inSuite: false,
    clientMaySee: ['503'],
    run: sendInvalidKeys,
  })),
  {
    name: '4 × 40,000 requests with one revoked key while PostgreSQL is stopped',
    database: 'postgres',
    inSuite: false,
    clientMaySee: ['503'],
    run: sendRevokedKey,
  },
];

async function sendInvalidKeys(target: Target): Promise<AttackOutcome> {
  const count = countOf(target, 100_000) / SOCKETS;
  const request = () => formatRequest({ path: '/v1/pets', key: formatApiKey(randomBytes(32)) });
  const statuses = mergeStatuses(
    await Promise.all(
      Array.from({ length: SOCKETS }, () =>
        sendPipelined(target, { count, window: 64, request, timeout: 40_000 }),
      ),
    ),
  );
  const others = [...statuses.keys()].filter((status) => ![401, 503].includes(status));
  const broken = others.length > 0 ? [`an invalid key got ${others.join(', ')}`] : [];
  return { seen: describeStatuses(statuses), broken };
}

async function sendRevokedKey(target: Target): Promise<AttackOutcome> {
  const request = formatRequest({ path: '/v1/pets', key: target.makeRevokedKey() });
  const frozen = await target.freezeDatabase();
  try {
    const sockets = await openSockets(target, 4);
    for (const socket of sockets) socket.resume().write(request.repeat(countOf(target, 40_000)));
    await pause(durationOf(target, 8_000));
    closeSockets(sockets);
  } finally {
    await frozen.thaw();
  }
  return { seen: '', broken: [] };
}

import { type Attack, type AttackOutcome, countOf, type Target } from './attack.ts';
import { describeStatuses, mergeStatuses, sendPipelined } from './send-pipelined.ts';
import { formatRequest, openSocket } from './sockets.ts';

/** Lines a flood may leave in the log. */
const LINES_AT_MOST = 500;
const SOCKETS = 8;

/** Requests that are refused, so many that a line for each would fill the disk. */
export const refusedFloods: readonly Attack[] = [
  {
    name: '40,000 requests without a key: lines of the log',
    database: 'sqlite',
    inSuite: false,
    run: (target) =>
      countLines(target, () => sendMany(target, formatRequest({ path: '/v1/pets' }))),
  },
  {
    name: '40,000 requests for an unknown path: lines of the log',
    database: 'sqlite',
    inSuite: false,
    run: (target) =>
      countLines(target, () => sendMany(target, formatRequest({ path: '/wp-admin' }))),
  },
  {
    name: '40,000 adds while PostgreSQL is stopped: lines of the log',
    database: 'postgres',
    inSuite: false,
    clientMaySee: ['503'],
    run: (target) => countLines(target, () => addWhileFrozen(target)),
  },
  {
    name: '4,000 connections with malformed HTTP: lines of the log',
    database: 'sqlite',
    inSuite: true,
    run: (target) => countLines(target, () => sendMalformed(target)),
  },
];

async function countLines(target: Target, run: () => Promise<string>): Promise<AttackOutcome> {
  const before = target.countLogLines();
  const seen = await run();
  const lines = target.countLogLines() - before;
  const broken = lines > LINES_AT_MOST ? [`${lines} lines in the log`] : [];
  return { seen: `${seen}; ${lines} lines`, broken };
}

async function sendMany(target: Target, request: string, window = 64): Promise<string> {
  const count = countOf(target, 40_000) / SOCKETS;
  const statuses = await Promise.all(
    Array.from({ length: SOCKETS }, () =>
      sendPipelined(target, { count, window, request: () => request, timeout: 15_000 }),
    ),
  );
  return describeStatuses(mergeStatuses(statuses));
}

async function addWhileFrozen(target: Target): Promise<string> {
  const body = '{"name":"Late","categoryId":1}';
  const request = formatRequest({ method: 'POST', path: '/v1/pets', key: target.key, body });
  const frozen = await target.freezeDatabase();
  try {
    return await sendMany(target, request, 250);
  } finally {
    await frozen.thaw();
  }
}

async function sendMalformed(target: Target): Promise<string> {
  const count = countOf(target, 4_000);
  for (let sent = 0; sent < count; sent += 100)
    await Promise.all(Array.from({ length: 100 }, () => sendOneMalformed(target)));
  return `${count} sent`;
}

async function sendOneMalformed(target: Target): Promise<void> {
  const socket = await openSocket(target);
  socket.resume();
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve()).once('end', resolve);
    socket.write('GET\r\n\r\n');
  });
  socket.destroy();
}

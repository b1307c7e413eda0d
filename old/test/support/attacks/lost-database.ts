import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, type AttackOutcome, durationOf, type Target } from './attack.ts';
import { call, waitForStatus } from './call.ts';
import { describeStatuses, mergeStatuses, sendPipelined } from './send-pipelined.ts';
import { formatRequest } from './sockets.ts';

/** How soon readiness must say what is the matter, and that it is over. */
const NOTICED_MS = 3_000;

/** Databases that stop, fill up or go away under the service. */
export const lostDatabase: readonly Attack[] = [
  {
    name: 'PostgreSQL stopped, 64 clients reading and adding',
    database: 'postgres',
    inSuite: false,
    clientMaySee: ['503'],
    run: stallDatabase,
  },
  {
    name: 'full disk',
    database: 'small disk',
    inSuite: false,
    clientMaySee: ['503'],
    run: fillDisk,
  },
  {
    name: 'database file deleted under the service',
    database: 'sqlite',
    inSuite: false,
    clientMaySee: ['503'],
    run: deleteFile,
  },
];

async function stallDatabase(target: Target): Promise<AttackOutcome> {
  const timeout = durationOf(target, 8_000);
  const frozen = await target.freezeDatabase();
  let statuses = '';
  const broken: string[] = [];
  try {
    const clients = Array.from({ length: 64 }, (_, client) =>
      sendPipelined(target, {
        ...{ count: 2_000, window: 4, timeout },
        request: (index) => readOrAdd(target, `${client}-${index}`, index),
      }),
    );
    await pause(Math.min(2_000, timeout));
    const asked = performance.now();
    const { status } = await call(target, '/readyz');
    const milliseconds = Math.round(performance.now() - asked);
    if (status !== 503) broken.push(`/readyz ${status} while stopped`);
    if (milliseconds > 1_500) broken.push(`/readyz took ${milliseconds} ms while stopped`);
    statuses = describeStatuses(mergeStatuses(await Promise.all(clients)));
  } finally {
    await frozen.thaw();
  }
  const back = await waitForStatus(target, '/readyz', 200, NOTICED_MS);
  if (back === undefined) broken.push(`/readyz not 200 within ${NOTICED_MS} ms`);
  return { seen: `${statuses}; ready again after ${back ?? '—'} ms`, broken };
}

function readOrAdd({ key }: Target, name: string, index: number): string {
  if (index % 2 === 0) return formatRequest({ path: `/v1/pets?limit=${1 + (index % 100)}`, key });
  const body = JSON.stringify({ name, categoryId: 1 });
  return formatRequest({ method: 'POST', path: '/v1/pets', key, body });
}

async function fillDisk(target: Target): Promise<AttackOutcome> {
  const { disk } = target;
  if (disk === undefined) throw new Error('no small disk');
  await disk.fill();
  const noticed = await waitForStatus(target, '/readyz', 503, NOTICED_MS);
  target.stopAdding();
  const added = await call(target, '/v1/pets', '{"name":"Full","categoryId":1}');
  const read = await call(target, '/v1/pets?limit=3');
  await disk.free();
  const back = await waitForStatus(target, '/readyz', 200, NOTICED_MS);
  const seen = `add ${added.status}, read ${read.status}; not ready after ${noticed ?? '—'} ms, ready again after ${back ?? '—'} ms`;
  return {
    seen,
    broken: [
      ...(noticed === undefined ? ['/readyz 200 on a full disk'] : []),
      ...(added.status === 503 ? [] : [`add ${added.status} on a full disk`]),
      ...(read.status === 200 ? [] : [`read ${read.status} on a full disk`]),
      ...(back === undefined ? ['/readyz did not come back without a client that adds'] : []),
    ],
  };
}

async function deleteFile(target: Target): Promise<AttackOutcome> {
  for (const ending of ['', '-wal', '-shm', '-lock'])
    await rm(path.join(target.folder, `petstore.db${ending}`), { force: true });
  const noticed = await waitForStatus(target, '/readyz', 503, NOTICED_MS);
  const added = await call(target, '/v1/pets', '{"name":"Gone","categoryId":1}');
  return {
    seen: `add ${added.status}; not ready after ${noticed ?? '—'} ms`,
    broken: [
      ...(noticed === undefined ? ['/readyz 200 without its file'] : []),
      ...(added.status === 503 ? [] : [`add ${added.status} without its file`]),
    ],
  };
}

import { compareServers, summarize } from '../compare-servers.ts';
import { copyDatabase, type Database, openDatabase } from '../databases.ts';
import type { Effort } from '../effort.ts';
import { newPets, petsById, spreadIds } from '../loads.ts';
import { buildSlowSync } from '../native.ts';
import { buildVariant, unbatched } from '../program.ts';
import type { Row } from '../report.ts';
import { runLoad } from '../run-load.ts';
import { startLimit, startPetstore } from '../servers.ts';
import type { Server } from '../start-server.ts';
import { median, pairedRatio } from '../statistics.ts';

/** Connections, and how many times faster adds must be than one by one, and what part of Node's own limit. */
const levels = [
  { connections: 1 },
  { connections: 16, overUnbatched: 5 },
  { connections: 64, overUnbatched: 7.5, ofLimit: 0.55 },
  { connections: 256, overUnbatched: 8, ofLimit: 0.7 },
] as const satisfies { connections: number; overUnbatched?: number; ofLimit?: number }[];

const SLOW_SYNC_MICROS = 5_000;
const SLOW_OVER_UNBATCHED = 28;

/** Durable adds: beside the same service without batches, beside node:http that stores nothing, and on a slow disk. */
export async function measure(effort: Effort): Promise<Row[]> {
  const main = await buildVariant('unbatched', unbatched);
  const ours = fresh('adds');
  const theirs = fresh('adds-unbatched');
  const petstore = await startPetstore(await ours);
  const single = await startPetstore(await theirs, {}, main);
  const [request = { path: '' }] = newPets(1);
  const limit = await startLimit(petstore, { request, key: (await ours).key });
  const key = (await ours).key;
  try {
    const rows: Row[] = [];
    for (const level of levels) {
      rows.push(...(await measureLevel({ petstore, single, limit, key }, level, effort)));
    }
    return [...rows, ...(await measureSlowDisk(main, effort))];
  } finally {
    await Promise.all([petstore.stop(), single.stop(), limit.stop()]);
  }
}

async function fresh(name: string): Promise<Database> {
  return copyDatabase(await openDatabase(1_000), name);
}

interface Contenders {
  readonly petstore: Server;
  readonly single: Server;
  readonly limit: Server;
  readonly key: string;
}

async function measureLevel(
  { petstore, single, limit, key }: Contenders,
  level: { connections: number; overUnbatched?: number; ofLimit?: number },
  effort: Effort,
): Promise<Row[]> {
  const { connections } = level;
  const load = { name: `adds-${connections}`, requests: newPets(10_000), connections };
  const results = await compareServers(
    [
      { name: 'petstore', server: petstore, load, key },
      { name: 'unbatched', server: single, load, key },
      { name: 'limit', server: limit, load, key },
    ],
    effort,
  );
  const of = (name: string) => results.get(name) ?? [];
  const speeds = (name: string) => of(name).map(({ perSecond }) => perSecond);
  const ours = summarize(of('petstore'));
  const measured = {
    'adds/s': ours.perSecond,
    'unbatched adds/s': summarize(of('unbatched')).perSecond,
    'limit/s': summarize(of('limit')).perSecond,
    'cpu µs': ours.cpuPerRequest,
    'limit cpu µs': summarize(of('limit')).cpuPerRequest,
    'p99 ms': ours.p99,
  };
  return [
    describe(`add, ${connections} connections, over batching off`, 'x', measured, {
      figure: pairedRatio(speeds('petstore'), speeds('unbatched')),
      goal: level.overUnbatched,
    }),
    describe(`add, ${connections} connections, of a POST not stored`, 'of limit', measured, {
      figure: pairedRatio(speeds('petstore'), speeds('limit')),
      goal: level.ofLimit,
    }),
  ];
}

function describe(
  what: string,
  unit: string,
  measured: Record<string, number>,
  { figure, goal }: { figure: number; goal: number | undefined },
): Row {
  return {
    what,
    figure,
    unit,
    measured,
    ...(goal === undefined ? {} : { goal: { atLeast: goal } }),
  };
}

async function measureSlowDisk(main: string, effort: Effort): Promise<Row[]> {
  const variables = {
    LD_PRELOAD: buildSlowSync(),
    SLOW_SYNC_MICROS: String(SLOW_SYNC_MICROS),
  };
  const petstore = await startPetstore(await fresh('adds-slow'), variables);
  const single = await startPetstore(await fresh('adds-slow-unbatched'), variables, main);
  const { key } = await openDatabase(1_000);
  try {
    const load = { name: 'adds-slow', requests: newPets(10_000), connections: 64 };
    const results = await compareServers(
      [
        { name: 'petstore', server: petstore, load, key },
        { name: 'unbatched', server: single, load, key },
      ],
      effort,
    );
    const speeds = (name: string) => (results.get(name) ?? []).map(({ perSecond }) => perSecond);
    return [
      describe(
        'add, 64 connections, sync slowed by 5 ms, over batching off',
        'x',
        { 'adds/s': median(speeds('petstore')), 'unbatched adds/s': median(speeds('unbatched')) },
        {
          figure: pairedRatio(speeds('petstore'), speeds('unbatched')),
          goal: SLOW_OVER_UNBATCHED,
        },
      ),
      await measureReadsBesideWriters(petstore, key, effort),
    ];
  } finally {
    await Promise.all([petstore.stop(), single.stop()]);
  }
}

/** How long reads take while 16 writers wait for the slow disk. */
async function measureReadsBesideWriters(
  server: Server,
  key: string,
  { rounds, seconds }: Effort,
): Promise<Row> {
  const writes = { name: 'writers', requests: newPets(10_000), connections: 16 };
  const reads = { name: 'readers', requests: petsById(spreadIds(1, 1_000, 1_000)), connections: 1 };
  const writing = Promise.all([
    runLoad(server, writes, { seconds: rounds * (seconds + 1) + 1, key }),
  ]);
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    results.push(await runLoad(server, reads, { seconds, key }));
  }
  const [written] = await writing;
  return {
    what: 'read p99 beside 16 writers, sync slowed by 5 ms',
    figure: median(results.map(({ p99 }) => p99)),
    unit: 'ms',
    goal: { atMost: 1 },
    measured: {
      'p50 ms': median(results.map(({ p50 }) => p50)),
      'reads/s of one reader': median(results.map(({ perSecond }) => perSecond)),
      'adds/s': written.perSecond,
    },
  };
}

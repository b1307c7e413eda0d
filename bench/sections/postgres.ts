import { openPostgresCluster } from '../../test/support/postgres-cluster.ts';
import type { Effort } from '../effort.ts';
import { newPets, pagesAfter, spreadIds } from '../loads.ts';
import { buildSlowSync } from '../native.ts';
import { makePostgresDatabase } from '../postgres-databases.ts';
import { measureWriters } from '../postgres-writers.ts';
import { buildVariant, uncached } from '../program.ts';
import type { Row } from '../report.ts';
import { runLoad } from '../run-load.ts';
import { startBarePostgres, startPetstore } from '../servers.ts';
import type { Server } from '../start-server.ts';
import { median, pairedRatio } from '../statistics.ts';

const INSTANCES = 3;
const ROWS = 100_000;
const SLOW_SYNC_MICROS = 5_000;

/** What all instances together should reach over one. */
const goals: Record<string, number> = { 'adds, 240 connections': 1, 'pages, none cached': 1.5 };

/**
 * Several instances on one database beside one instance, and what it costs that ids become visible in their order. Clients, instances and database share the cores of one machine here, so beside them
 * stands what bare node:http with pg and the same statements reaches.
 */
export async function measure(effort: Effort): Promise<Row[]> {
  const cluster = await openPostgresCluster({ durable: true });
  try {
    return [
      ...(await measureInstances(cluster.url, effort)),
      ...(await measureCounter('this disk', cluster.url, effort)),
      ...(await measureSlowCounter(effort)),
    ];
  } finally {
    await cluster.close();
  }
}

async function measureInstances(server: string, effort: Effort): Promise<Row[]> {
  const main = await buildVariant('uncached', uncached);
  const database = await makePostgresDatabase(server, 'instances', ROWS);
  const start = (startOne: () => Promise<Server>) =>
    Promise.all(Array.from({ length: INSTANCES }, startOne));
  const instances = await start(() => startPetstore(database, {}, main));
  const [first] = instances;
  if (first === undefined) throw new Error('there is no instance');
  const bare = await start(() => startBarePostgres(first, database));
  try {
    const rows: Row[] = [];
    for (const [what, load] of Object.entries(createLoads())) {
      const shared = { ...load, key: database.key };
      rows.push(...(await measureCounts(what, instances, shared, effort)));
      if (goals[what] === undefined) continue;
      const rowsOfBare = await measureCounts(`bare: ${what}`, bare, shared, effort);
      rows.push(...rowsOfBare.slice(-1));
    }
    return rows;
  } finally {
    await Promise.all([...instances, ...bare].map((instance) => instance.stop()));
  }
}

/** Connections are those of all clients together, shared among the instances. */
function createLoads() {
  return {
    'adds, 48 connections': { requests: newPets(10_000), connections: 48 },
    'adds, 240 connections': { requests: newPets(10_000), connections: 240 },
    'pages, none cached': {
      requests: pagesAfter(spreadIds(1, ROWS - 100, 1_000)),
      connections: 48,
    },
  };
}

async function measureCounts(
  what: string,
  instances: readonly Server[],
  load: SharedLoad,
  effort: Effort,
): Promise<Row[]> {
  const speeds = await compareCounts(instances, load, effort);
  const [one = []] = speeds;
  const goal = goals[what];
  return speeds.slice(1).map((speed, index) => ({
    what: `${what}, ${index + 2} instances over one`,
    figure: pairedRatio(speed, one),
    unit: 'x',
    ...(goal === undefined || index + 2 < INSTANCES ? {} : { goal: { atLeast: goal } }),
    measured: { 'one instance/s': median(one), 'together/s': median(speed) },
  }));
}

interface SharedLoad {
  readonly requests: ReturnType<typeof newPets>;
  readonly connections: number;
  readonly key: string;
}

/** Requests per second of 1, 2, … instances together, by round; the first round only warms up. */
async function compareCounts(
  instances: readonly Server[],
  { requests, connections, key }: SharedLoad,
  { rounds, seconds }: Effort,
): Promise<number[][]> {
  const speeds: number[][] = instances.map(() => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, ofCount] of speeds.entries()) {
      const used = instances.slice(0, index + 1);
      const results = await Promise.all(
        used.map((instance, at) => {
          const share = connections / used.length;
          return runLoad(
            instance,
            { name: `instance-${at}`, requests, connections: share },
            { seconds, key },
          );
        }),
      );
      if (round >= 0) ofCount.push(results.reduce((sum, { perSecond }) => sum + perSecond, 0));
    }
  }
  return speeds;
}

async function measureSlowCounter(effort: Effort): Promise<Row[]> {
  const cluster = await openPostgresCluster({
    durable: true,
    variables: { LD_PRELOAD: buildSlowSync(), SLOW_SYNC_MICROS: String(SLOW_SYNC_MICROS) },
  });
  try {
    return await measureCounter('sync slowed by 5 ms', cluster.url, effort);
  } finally {
    await cluster.close();
  }
}

/** The counter row beside a sequence, by which ids would become visible out of order. */
async function measureCounter(disk: string, server: string, effort: Effort): Promise<Row[]> {
  const { url } = await makePostgresDatabase(server, 'counter', 1);
  const rows: Row[] = [];
  for (const writers of [1, INSTANCES]) {
    const counter: number[] = [];
    const sequence: number[] = [];
    for (let round = 0; round < effort.rounds; round += 1) {
      counter.push(await measureWriters(url, { writers, ids: 'counter', seconds: effort.seconds }));
      sequence.push(
        await measureWriters(url, { writers, ids: 'sequence', seconds: effort.seconds }),
      );
    }
    rows.push({
      what: `batches of 64 from ${writers} at once, ${disk}, counter over sequence`,
      figure: pairedRatio(counter, sequence),
      unit: 'x',
      measured: { 'counter adds/s': median(counter), 'sequence adds/s': median(sequence) },
    });
  }
  return rows;
}

import { startBare } from '../bare.ts';
import { readCursor } from '../cursors.ts';
import { copyDatabase, openDatabase, startPetstore } from '../databases.ts';
import {
  compareServers,
  type Effort,
  firstPage,
  newPets,
  petsById,
  type Request,
  runLoad,
  spreadIds,
} from '../load.ts';
import { builds, type Server } from '../programs.ts';
import { median, pairedRatio, type Row } from '../report.ts';

const ROWS = 1_000_000;

/** Reads and durable adds beside bare node:http that sends the same from memory, and beside the build before. */
export async function measure(effort: Effort): Promise<Row[]> {
  const databases = builds.map((build) => copyDatabase(openDatabase(build, ROWS)));
  const services: Server[] = [];
  for (const [index, build] of builds.entries()) {
    const database = databases[index];
    if (database !== undefined) services.push(await startPetstore(build, database));
  }
  const keys = databases.map(({ key }) => key);
  const idle = (await services[0]?.usage())?.rss ?? Number.NaN;
  const context = { services, keys, effort };
  try {
    const pages = await findPages(services[0], keys[0] ?? '');
    return [
      await compareReads(context, 'hot page of 20', firstPage, 0.5),
      await compareReads(context, 'pet', petsById([7]), 0.4),
      await compareReads(context, 'page not cached, a million pets', pages, 0.17),
      ...(await compareAdds(context)),
      await measureReadsBesideWriters(context),
      { what: 'memory, idle', figure: idle, unit: 'MB', goal: { atMost: 110 } },
      { what: 'memory, loaded', figure: (await services[0]?.usage())?.rss ?? 0, unit: 'MB' },
    ];
  } finally {
    for (const service of services) await service.stop();
  }
}

interface Context {
  readonly services: readonly Server[];
  readonly keys: readonly string[];
  readonly effort: Effort;
}

/** Pages from all over the database, far more than are cached. */
async function findPages(service: Server | undefined, key: string): Promise<Request[]> {
  if (service === undefined) throw new Error('Nothing to compare.');
  const cursorOf = await readCursor(service, key);
  return spreadIds(1, ROWS - 100, 200_000).map((id) => ({
    path: `/v1/pets?limit=20&cursor=${cursorOf(id)}`,
  }));
}

/** CPU time per request: other programs on the machine disturb it least. */
async function compareReads(
  { services, keys, effort }: Context,
  what: string,
  requests: readonly Request[],
  goal: number,
): Promise<Row> {
  const [service] = services;
  const [request] = requests;
  if (service === undefined || request === undefined) throw new Error('Nothing to compare.');
  const bare = await startBare(service, request, keys[0] ?? '');
  try {
    const contenders = [bare, ...services].map((server, index) => ({
      server,
      requests,
      key: keys[Math.max(0, index - 1)] ?? '',
    }));
    const [limit, ours, before] = await compareServers(contenders, effort);
    if (limit === undefined || ours === undefined) throw new Error('Nothing was measured.');
    return {
      what,
      figure: pairedRatio(limit.cpuPerRequest, ours.cpuPerRequest),
      unit: 'of bare',
      goal: { atLeast: goal },
      measured: {
        'req/s': median(ours.perSecond),
        'cpu µs': median(ours.cpuPerRequest),
        'p99 ms': ours.p99,
        ...(before && { 'of before': pairedRatio(before.cpuPerRequest, ours.cpuPerRequest) }),
      },
    };
  } finally {
    await bare.stop();
  }
}

async function compareAdds({ services, keys, effort }: Context): Promise<Row[]> {
  const [service] = services;
  const requests = newPets(10_000);
  const [request] = requests;
  if (service === undefined || request === undefined) throw new Error('Nothing to compare.');
  const bare = await startBare(service, request, keys[0] ?? '');
  const rows: Row[] = [];
  for (const connections of [1, 16, 64, 256]) {
    const contenders = [bare, ...services].map((server, index) => ({
      server,
      requests,
      key: keys[Math.max(0, index - 1)] ?? '',
    }));
    const [limit, ours, before] = await compareServers(contenders, effort, connections);
    if (limit === undefined || ours === undefined) throw new Error('Nothing was measured.');
    rows.push({
      what: `durable adds, ${connections} connections`,
      figure: pairedRatio(ours.perSecond, limit.perSecond),
      unit: 'of bare',
      goal: connections === 64 ? { atLeast: 0.5 } : undefined,
      measured: {
        'adds/s': median(ours.perSecond),
        'p99 ms': ours.p99,
        ...(before && { 'of before': pairedRatio(ours.perSecond, before.perSecond) }),
      },
    });
  }
  await bare.stop();
  return rows;
}

async function measureReadsBesideWriters({ services, keys, effort }: Context): Promise<Row> {
  const [server] = services;
  if (server === undefined) throw new Error('Nothing to measure.');
  const key = keys[0] ?? '';
  const seconds = effort.rounds * effort.seconds;
  const writing = runLoad(
    { server, requests: newPets(10_000), key },
    { connections: 16, seconds: seconds + 2 },
  );
  const read = await runLoad(
    { server, requests: petsById(spreadIds(1, 1_000, 1_000)), key },
    { connections: 1, seconds },
  );
  const written = await writing;
  return {
    what: 'p99 of reads beside 16 writers',
    figure: read.p99,
    unit: 'ms',
    measured: { 'reads/s': read.perSecond, 'adds/s': written.perSecond },
  };
}

import { startBare } from '../bare.ts';
import { readCursor } from '../cursors.ts';
import { copyDatabase, startPetstore } from '../databases.ts';
import { type Contender, compareServers, type Effort, newPets, type Request } from '../load.ts';
import { compare, median, type Row } from '../report.ts';

const ROWS = 1_000_000;

type Service = Pick<Contender, 'server' | 'key'>;

/** Reads and durable adds beside bare node:http that sends the same from memory. */
export async function measure(effort: Effort): Promise<Row[]> {
  const database = copyDatabase(ROWS);
  const own = { server: await startPetstore(database.url), key: database.key };
  try {
    const idle = (await own.server.usage()).rss;
    const rows = [
      await measureReads('hot page of 20', {
        own,
        requests: [{ path: '/v1/pets?limit=20' }],
        effort,
      }),
      await measureReads('pet', { own, requests: [{ path: '/v1/pets/7' }], effort }),
      await measureReads('page not cached, of a million pets', {
        ...{ own, requests: await findPages(own), effort },
      }),
    ];
    for (const connections of [1, 16, 64, 256])
      rows.push(await measureAdds({ own, requests: newPets(10_000), effort, connections }));
    const also = { 'loaded MB': (await own.server.usage()).rss };
    return [...rows, { what: 'memory, idle', figure: idle, unit: 'MB', also }];
  } finally {
    await own.server.stop();
  }
}

/** Far more different pages than are cached, from all over the database, in no order that a cache could follow. */
async function findPages({ server, key }: Service): Promise<Request[]> {
  const cursorOf = await readCursor(server.url, key);
  const ids = Array.from({ length: 200_000 }, (_, at) => 1 + ((at * 1_299_709) % (ROWS - 100)));
  return ids.map((id) => ({ path: `/v1/pets?limit=20&cursor=${cursorOf(id)}` }));
}

interface Load {
  readonly own: Service;
  readonly requests: readonly Request[];
  readonly effort: Effort;
  readonly connections?: number;
}

/** CPU time per request: other programs on the machine disturb it least. */
async function measureReads(what: string, load: Load): Promise<Row> {
  const { own, bare } = await compareWithBare(load);
  const bound = compare('node:http', own.cpuPerRequest, bare.cpuPerRequest);
  const also = { 'req/s': median(own.perSecond), 'p99 ms': median(own.p99) };
  return { what, figure: median(own.cpuPerRequest), unit: 'cpu µs', bound, also };
}

async function measureAdds(load: Load & { readonly connections: number }): Promise<Row> {
  const { own, bare } = await compareWithBare(load);
  const what = `durable adds, connections: ${load.connections}`;
  const bound = compare('node:http', own.perSecond, bare.perSecond);
  const also = { 'p99 ms': median(own.p99) };
  return { what, figure: median(own.perSecond), unit: 'adds/s', bound, also };
}

async function compareWithBare({ own, requests, effort, connections }: Load) {
  const [request] = requests;
  if (request === undefined) throw new Error('Nothing to compare.');
  const bare = { ...own, server: await startBare(own, request) };
  try {
    const contenders = [own, bare].map((one) => ({ ...one, requests }));
    const [ours, theirs] = await compareServers(contenders, effort, connections);
    if (ours === undefined || theirs === undefined) throw new Error('Nothing was measured.');
    return { own: ours, bare: theirs };
  } finally {
    await bare.server.stop();
  }
}

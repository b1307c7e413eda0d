import { compareServers, summarize } from '../compare-servers.ts';
import { openDatabase } from '../databases.ts';
import type { Effort } from '../effort.ts';
import { firstPage, pagesAfter, petsById, spreadIds } from '../loads.ts';
import type { Row } from '../report.ts';
import { startLimit, startPetstore } from '../servers.ts';
import { pairedRatio } from '../statistics.ts';

const CONNECTIONS = 16;

/** Different requests, far more than the service caches. */
const MANY = 200_000;

/** What Node costs over what the service costs, in CPU time per request, for each way of reading. */
export async function measure(effort: Effort): Promise<Row[]> {
  const large = await openDatabase(1_000_000);
  const small = await openDatabase(100_000);
  return [
    ...(await compareWithLimit(
      'list, hot page of 20 from 100k pets',
      small,
      firstPage,
      0.95,
      effort,
    )),
    ...(await compareWithLimit(
      'list, pages of 20 not cached, from 1M pets',
      large,
      pagesAfter(spreadIds(1, 900_000, MANY)),
      0.35,
      effort,
    )),
    ...(await compareWithLimit('get one, cached', small, petsById([7]), 0.9, effort)),
    ...(await compareWithLimit(
      'get one, not cached, from 1M pets',
      large,
      petsById(spreadIds(100_000, 999_999, MANY)),
      0.65,
      effort,
    )),
  ];
}

async function compareWithLimit(
  what: string,
  database: Awaited<ReturnType<typeof openDatabase>>,
  requests: ReturnType<typeof petsById>,
  goal: number,
  effort: Effort,
): Promise<Row[]> {
  const [request] = requests;
  if (request === undefined) throw new Error('nothing to request');
  const { key } = database;
  const petstore = await startPetstore(database);
  const limit = await startLimit(petstore, { request, key });
  const bare = await startLimit(petstore, { request, key, isBare: true });
  const load = { name: what, requests, connections: CONNECTIONS };
  try {
    const results = await compareServers(
      [
        { name: 'petstore', server: petstore, load, key },
        { name: 'limit', server: limit, load, key },
        { name: 'bare', server: bare, load, key },
      ],
      effort,
    );
    const of = (name: string) => results.get(name) ?? [];
    const ratio = (name: string, figure: 'cpuPerRequest' | 'perSecond') => {
      const values = [of(name), of('petstore')].map((rounds) => rounds.map((one) => one[figure]));
      const [limits = [], ours = []] = values;
      return figure === 'perSecond' ? pairedRatio(ours, limits) : pairedRatio(limits, ours);
    };
    const ours = summarize(of('petstore'));
    return [
      {
        what,
        figure: ratio('limit', 'cpuPerRequest'),
        unit: 'of limit',
        goal: { atLeast: goal },
        measured: {
          'req/s': ours.perSecond,
          'of limit by req/s': ratio('limit', 'perSecond'),
          'of limit without our headers': ratio('bare', 'cpuPerRequest'),
          'cpu µs': ours.cpuPerRequest,
          'limit cpu µs': summarize(of('limit')).cpuPerRequest,
          'p99 ms': ours.p99,
        },
      },
    ];
  } finally {
    await Promise.all([petstore.stop(), limit.stop(), bare.stop()]);
  }
}

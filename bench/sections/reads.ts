import { CACHE_KIB } from '../../src/service/storage/sqlite/open-sqlite-store.ts';
import { selectPage, selectPet } from '../../src/service/storage/sqlite/pet-reader.ts';
import { compareServers, summarize } from '../compare-servers.ts';
import { type Database, openDatabase } from '../databases.ts';
import type { Effort } from '../effort.ts';
import { firstPage, pagesAfter, petsById, spreadIds } from '../loads.ts';
import type { Row } from '../report.ts';
import { type LimitQuery, startLimit, startPetstore } from '../servers.ts';
import { pairedRatio } from '../statistics.ts';

const CONNECTIONS = 16;

/** Different requests, far more than the service caches. */
const MANY = 200_000;

const PAGE_SIZE = 20;

/** What Node costs, where nothing is cached with the same statement, over what the service costs: CPU time per request. */
export async function measure(effort: Effort): Promise<Row[]> {
  const large = await openDatabase(1_000_000);
  const small = await openDatabase(100_000);
  const { file } = large;
  const page = {
    file,
    statement: selectPage('TRUE'),
    parameters: [PAGE_SIZE],
    cacheKib: CACHE_KIB,
  };
  const pet = { file, statement: selectPet, parameters: [], cacheKib: CACHE_KIB };
  const ways: readonly Way[] = [
    {
      what: 'list, hot page of 20 from 100k pets',
      database: small,
      requests: firstPage,
      goal: 0.95,
    },
    {
      what: 'list, pages of 20 not cached, from 1M pets',
      database: large,
      requests: pagesAfter(spreadIds(1, 900_000, MANY)),
      goal: 0.85,
      query: page,
    },
    { what: 'get one, cached', database: small, requests: petsById([7]), goal: 0.9 },
    {
      what: 'get one, not cached, from 1M pets',
      database: large,
      requests: petsById(spreadIds(100_000, 999_999, MANY)),
      goal: 0.85,
      query: pet,
    },
  ];
  const rows: Row[] = [];
  for (const way of ways) rows.push(await compareWithLimit(way, effort));
  return rows;
}

interface Way {
  readonly what: string;
  readonly database: Database;
  readonly requests: ReturnType<typeof petsById>;
  readonly goal: number;
  readonly query?: LimitQuery;
}

async function compareWithLimit(
  { what, database, requests, goal, query }: Way,
  effort: Effort,
): Promise<Row> {
  const [request] = requests;
  if (request === undefined) throw new Error('nothing to request');
  const { key } = database;
  const petstore = await startPetstore(database);
  const limit = await startLimit(petstore, { request, key, query });
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
    return {
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
    };
  } finally {
    await Promise.all([petstore.stop(), limit.stop(), bare.stop()]);
  }
}

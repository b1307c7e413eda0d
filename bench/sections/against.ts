import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compareServers } from '../compare-servers.ts';
import { copyDatabase, type Database, type openDatabase } from '../databases.ts';
import type { Effort } from '../effort.ts';
import { firstPage, newPets, pagesAfter, petsById, spreadIds } from '../loads.ts';
import { type Command, measureCommands, type Taken } from '../measure-commands.ts';
import { program } from '../program.ts';
import type { Row } from '../report.ts';
import { startLimit, startPetstore } from '../servers.ts';
import { medianInterval, pairedRatios } from '../statistics.ts';
import { writeDelivery } from '../write-delivery.ts';

/** Ten pairs give the median an interval of 95 % and more. */
const PAIRS = 10;

/** Beyond this the whole interval has to lie before a figure counts as worse. */
const TOLERANCE = 0.03;

/**
 * This build beside another one, built in the folder that PETSTORE_BENCH_AGAINST names: what the other takes over what
 * this one takes, in interleaved pairs, with the interval of the median. Below 1 this build is slower.
 */
export async function measure({ seconds }: Effort): Promise<Row[]> {
  const folder = process.env.PETSTORE_BENCH_AGAINST;
  if (folder === undefined) throw new Error('PETSTORE_BENCH_AGAINST must name a built checkout.');
  const other = path.join(folder, 'bin/petstore.js');
  // Made by the other build: an older one refuses a newer schema, and this one adopts a copy.
  const databases: Databases = await import(
    pathToFileURL(path.join(folder, 'bench/databases.ts')).href
  );
  return [
    ...(await compareCommands(other, databases)),
    ...(await compareReads(other, databases, seconds)),
    ...(await compareAdds(other, databases, seconds)),
  ];
}

interface Databases {
  openDatabase: typeof openDatabase;
}

function describe(what: string, ours: readonly number[], theirs: readonly number[]): Row {
  const { low, middle, high } = medianInterval(pairedRatios(theirs, ours));
  return {
    what,
    figure: middle,
    unit: 'of before',
    goal: { atLeast: 1 - TOLERANCE },
    measured: { from: low, to: high, worse: high < 1 - TOLERANCE ? 'yes' : 'no' },
  };
}

async function compareCommands(other: string, databases: Databases): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  const large = copyDatabase(await databases.openDatabase(100_000), 'against-list');
  const service = await startPetstore(large);
  const target = copyDatabase(await databases.openDatabase(1_000), 'against-import');
  const receiver = await startPetstore(target);
  const [request = { path: '' }] = firstPage;
  const page = await startLimit(service, { request, key: large.key });
  const file = path.join(folder, 'delivery.csv');
  writeDelivery(file, 30_000);
  try {
    const quick = [
      ['--version', ['--version'], page.url, large.key],
      ['--help', ['--help'], page.url, large.key],
      ['list --json', ['list', '--json'], page.url, large.key],
      ['add --json', ['add', 'Rex', '--category', '7', '--json'], receiver.url, target.key],
    ] as const;
    const slow = [
      [
        'list --all -o ndjson, 100k pets',
        ['list', '--all', '-o', 'ndjson'],
        service.url,
        large.key,
      ],
      ['import --fresh, 30k rows', ['import', file, '--fresh'], receiver.url, target.key],
    ] as const;
    return [
      ...compareLines(quick, { other, folder, rounds: PAIRS * 4 }),
      ...compareLines(slow, { other, folder, rounds: PAIRS }),
    ];
  } finally {
    await Promise.all([service.stop(), receiver.stop(), page.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

type Line = readonly [name: string, words: readonly string[], url: string, key: string];

function compareLines(
  lines: readonly Line[],
  { other, folder, rounds }: { other: string; folder: string; rounds: number },
): Row[] {
  const commands = lines.flatMap(([name, words, url, key]): Command[] =>
    [program, other].map((main) => {
      const own = path.join(folder, main === program ? 'this' : 'other');
      return {
        name: `${main} ${name}`,
        words: [process.execPath, main, ...words],
        variables: {
          XDG_CONFIG_HOME: own,
          XDG_STATE_HOME: own,
          XDG_DATA_HOME: own,
          XDG_CACHE_HOME: own,
          PETSTORE_STAGING_URL: url,
          PETSTORE_API_KEY: key,
        },
      };
    }),
  );
  const taken = measureCommands(commands, rounds);
  const walls = (main: string, name: string) =>
    (taken.get(`${main} ${name}`) ?? []).map(({ wall }: Taken) => wall);
  return lines.map(([name]) => describe(name, walls(program, name), walls(other, name)));
}

async function compareReads(other: string, databases: Databases, seconds: number): Promise<Row[]> {
  const small = await databases.openDatabase(100_000);
  const large = await databases.openDatabase(1_000_000);
  const loads = [
    ['hot page', small, firstPage],
    ['cached pet', small, petsById([7])],
    ['pages not cached, 1M pets', large, pagesAfter(spreadIds(1, 900_000, 200_000))],
    ['pets not cached, 1M pets', large, petsById(spreadIds(100_000, 999_999, 200_000))],
  ] as const;
  const rows: Row[] = [];
  for (const [what, database, requests] of loads) {
    const ours = await startPetstore(copyDatabase(database, 'against-reads'));
    const theirs = await startPetstore(copyDatabase(database, 'against-reads-other'), {}, other);
    const load = { name: what, requests, connections: 16 };
    const results = await compareServers(
      [
        { name: 'this', server: ours, load, key: database.key },
        { name: 'other', server: theirs, load, key: database.key },
      ],
      { rounds: PAIRS, seconds },
    );
    const cpu = (name: string) => (results.get(name) ?? []).map((one) => one.cpuPerRequest);
    rows.push(describe(`${what}, CPU time per request`, cpu('this'), cpu('other')));
    await Promise.all([ours.stop(), theirs.stop()]);
  }
  return rows;
}

async function compareAdds(other: string, databases: Databases, seconds: number): Promise<Row[]> {
  const fresh = async (name: string): Promise<Database> =>
    copyDatabase(await databases.openDatabase(1_000), name);
  const database = await fresh('against-adds');
  const ours = await startPetstore(database);
  const theirs = await startPetstore(await fresh('against-adds-other'), {}, other);
  const rows: Row[] = [];
  for (const connections of [1, 16, 64, 256]) {
    const load = { name: `against-${connections}`, requests: newPets(10_000), connections };
    const results = await compareServers(
      [
        { name: 'this', server: ours, load, key: database.key },
        { name: 'other', server: theirs, load, key: database.key },
      ],
      { rounds: PAIRS, seconds },
    );
    const time = (name: string) => (results.get(name) ?? []).map((one) => 1 / one.perSecond);
    rows.push(describe(`adds, ${connections} connections`, time('this'), time('other')));
  }
  await Promise.all([ours.stop(), theirs.stop()]);
  return rows;
}

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { encodeCursor } from '../../src/service/routes/cursor.ts';
import { copyDatabase, openDatabase } from '../databases.ts';
import type { Effort } from '../effort.ts';
import { cleanEnvironment } from '../environment.ts';
import { newPets } from '../loads.ts';
import { measureOnce, type Taken } from '../measure-commands.ts';
import { buildMeasure } from '../native.ts';
import { program } from '../program.ts';
import type { Row } from '../report.ts';
import { runLoad } from '../run-load.ts';
import { startPetstore } from '../servers.ts';
import { median, pairedRatio } from '../statistics.ts';
import { writeDelivery } from '../write-delivery.ts';

const run = promisify(execFile);

const PAGE = 100;
const ROUNDS = 3;

/** Whole catalogues: listing one beside curl on the same pages, and importing one; with peak memory. */
export async function measure({ million }: Effort): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  try {
    return [...(await measureListAll(folder, million)), ...(await measureImport(folder, million))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureListAll(folder: string, rows: number): Promise<Row[]> {
  const database = await openDatabase(rows);
  const service = await startPetstore(database);
  const measure = buildMeasure();
  const ours = {
    name: 'list --all -o ndjson',
    words: [process.execPath, program, 'list', '--all', '-o', 'ndjson'],
    variables: describeTarget(folder, service.url, database.key),
  };
  const pages = path.join(folder, 'pages.curl');
  writeFileSync(pages, describePages(service.url, rows, database.key));
  const curl = { name: 'curl', words: ['curl', '-sS', '--fail', '-K', pages] };
  const taken: { ours: Taken; curl: Taken }[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      taken.push({
        curl: measureOnce(measure, curl),
        ours: measureOnce(measure, ours),
      });
    }
  } finally {
    await service.stop();
  }
  const walls = {
    ours: taken.map((one) => one.ours.wall),
    curl: taken.map((one) => one.curl.wall),
  };
  const measured = {
    seconds: median(walls.ours) / 1000,
    'cpu s': median(taken.map((one) => one.ours.cpu)) / 1000,
    'curl seconds': median(walls.curl) / 1000,
    'pets/s': rows / (median(walls.ours) / 1000),
  };
  const name = `list --all -o ndjson, ${rows / 1e6}M pets`;
  return [
    {
      what: `${name}, beside curl`,
      figure: pairedRatio(walls.curl, walls.ours),
      unit: 'of curl',
      goal: { atLeast: 0.5 },
      measured,
    },
    {
      what: `${name}, peak memory`,
      figure: Math.max(...taken.map((one) => one.ours.peak)) / 1024,
      unit: 'MB',
      goal: { atMost: 120 },
    },
  ];
}

function describeTarget(folder: string, url: string, key: string): Record<string, string> {
  return {
    XDG_CONFIG_HOME: folder,
    XDG_STATE_HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CACHE_HOME: folder,
    PETSTORE_STAGING_URL: url,
    PETSTORE_API_KEY: key,
  };
}

/** curl's config: the same pages over one connection. */
function describePages(url: string, rows: number, key: string): string {
  const lines = [`header = "Authorization: Bearer ${key}"`, `url = "${url}/pets?limit=${PAGE}"`];
  for (let after = PAGE; after < rows; after += PAGE) {
    lines.push(`url = "${url}/pets?limit=${PAGE}&cursor=${encodeCursor(BigInt(after))}"`);
  }
  lines.push(...lines.slice(1).map(() => 'output = "/dev/null"'));
  return lines.join('\n');
}

/** Of `petstore import`, unless said otherwise. */
const CONCURRENCY = 32;
/** Of each load beside it. */
const SECONDS = 10;

/** Importing beside plain load generators that post the same bodies over as many connections, before and after it. */
async function measureImport(folder: string, rows: number): Promise<Row[]> {
  const file = path.join(folder, 'delivery.csv');
  writeDelivery(file, rows);
  const database = copyDatabase(await openDatabase(1_000), 'import');
  const service = await startPetstore(database);
  const load = { name: 'import', requests: newPets(10_000), connections: CONCURRENCY };
  const bodies = path.join(folder, 'bodies');
  writeFileSync(bodies, load.requests.map(({ body }) => body).join('\n'));
  const post = async () => ({
    wrk: (await runLoad(service, load, { seconds: SECONDS, key: database.key })).perSecond,
    node: await postPlainly(bodies, service.url, database.key),
  });
  const importer = {
    name: 'import',
    words: [process.execPath, program, 'import', file, '--concurrency', String(CONCURRENCY)],
    variables: describeTarget(folder, service.url, database.key),
  };
  try {
    const before = await post();
    const { wall, cpu, peak } = measureOnce(buildMeasure(), importer);
    const after = await post();
    const posted = { wrk: (before.wrk + after.wrk) / 2, node: (before.node + after.node) / 2 };
    const perSecond = rows / (wall / 1000);
    const name = `import, ${rows / 1e6}M rows`;
    const measured = {
      ...{ 'rows/s': perSecond, 'posts/s': posted.node, 'wrk posts/s': posted.wrk },
      ...{ seconds: wall / 1000, 'cpu µs/row': (cpu * 1000) / rows },
    };
    return [
      {
        what: `${name}, beside undici posting the same`,
        figure: perSecond / posted.node,
        unit: 'of undici',
        goal: { atLeast: 0.6 },
        measured,
      },
      {
        what: `${name}, beside wrk posting the same`,
        figure: perSecond / posted.wrk,
        unit: 'of wrk',
      },
      {
        what: `${name}, peak memory`,
        figure: peak / 1024,
        unit: 'MB',
      },
    ];
  } finally {
    await service.stop();
  }
}

/** Posts per second of the generator in Node. */
async function postPlainly(bodies: string, url: string, key: string): Promise<number> {
  const script = path.join(import.meta.dirname, '../load/post.ts');
  const words = ['--import', 'tsx', script, url, key, bodies, String(CONCURRENCY), String(SECONDS)];
  const { stdout } = await run(process.execPath, words, { env: cleanEnvironment() });
  return Number(stdout);
}

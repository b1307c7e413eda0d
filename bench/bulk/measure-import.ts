import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { copyDatabase, openDatabase } from '../databases.ts';
import { cleanEnvironment } from '../environment.ts';
import { newPets } from '../loads.ts';
import { measureOnce, type Taken } from '../measure-commands.ts';
import { buildMeasure } from '../native.ts';
import { program } from '../program.ts';
import type { Row } from '../report.ts';
import { runLoad } from '../run-load.ts';
import { startPetstore } from '../servers.ts';
import { median } from '../statistics.ts';
import { writeDelivery } from '../write-delivery.ts';
import { describeTarget } from './target.ts';

const run = promisify(execFile);

/** Of `petstore import`, unless said otherwise. */
const CONCURRENCY = 32;
/** Of each load beside it. */
const SECONDS = 5;
const ROUNDS = 3;
/** Of a round: long enough for the start not to count, short enough for the disk to be the same before and after. */
const ROUND_ROWS = 50_000;

/** Posts per second of what posts without checking, staging or recording anything. */
interface Posted {
  wrk: number;
  node: number;
  /** By Node with an idempotency key for each, as an import posts. */
  nodeWithKeys: number;
}

/**
 * Imports beside plain load generators that post the same bodies over as many connections, before and after each; then
 * a large one for its peak memory.
 */
export async function measureImport(folder: string, rows: number): Promise<Row[]> {
  const database = copyDatabase(await openDatabase(1_000), 'import');
  const service = await startPetstore(database);
  const load = { name: 'import', requests: newPets(10_000), connections: CONCURRENCY };
  const bodies = path.join(folder, 'bodies');
  writeFileSync(bodies, load.requests.map(({ body }) => body).join('\n'));
  const post = async (): Promise<Posted> => ({
    wrk: (await runLoad(service, load, { seconds: SECONDS, key: database.key })).perSecond,
    node: await postPlainly([service.url, database.key, bodies]),
    nodeWithKeys: await postPlainly([service.url, database.key, bodies], 'repeatable'),
  });
  const measure = buildMeasure();
  const variables = describeTarget(folder, service.url, database.key);
  let files = 0;
  const importRows = (count: number) => {
    const file = path.join(folder, `delivery-${files}.csv`);
    files += 1;
    // One row more each time: the same content would be recognized.
    writeDelivery(file, count + files);
    const words = [process.execPath, program, 'import', file, '--concurrency', `${CONCURRENCY}`];
    return measureOnce(measure, { name: 'import', words, variables });
  };
  try {
    const posted = [await post()];
    const imported: Taken[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      imported.push(importRows(ROUND_ROWS));
      posted.push(await post());
    }
    const large = importRows(rows);
    return [...compare(imported, posted), describeLarge(rows, large)];
  } finally {
    await service.stop();
  }
}

function compare(imported: readonly Taken[], posted: readonly Posted[]): Row[] {
  const speeds = imported.map(({ wall }) => ROUND_ROWS / (wall / 1000));
  /** What was posted before and after each import. */
  const around = (which: keyof Posted) =>
    speeds.map((_, at) => ((posted[at]?.[which] ?? 0) + (posted[at + 1]?.[which] ?? 0)) / 2);
  const compareWith = (others: readonly number[]) =>
    median(speeds.map((speed, at) => speed / (others[at] ?? 0)));
  const [node, nodeWithKeys, wrk] = [around('node'), around('nodeWithKeys'), around('wrk')];
  return [
    {
      what: 'import beside undici posting the same',
      figure: compareWith(node),
      unit: 'of undici',
      goal: { atLeast: 0.8 },
      measured: {
        'rows/s': median(speeds),
        'posts/s': median(node),
        'cpu µs/row': (median(imported.map(({ cpu }) => cpu)) * 1000) / ROUND_ROWS,
      },
    },
    {
      what: 'import beside undici posting the same, a key with each',
      figure: compareWith(nodeWithKeys),
      unit: 'of undici',
      measured: { 'posts/s': median(nodeWithKeys) },
    },
    {
      what: 'import beside wrk posting the same',
      figure: compareWith(wrk),
      unit: 'of wrk',
      measured: { 'wrk posts/s': median(wrk) },
    },
  ];
}

function describeLarge(rows: number, { wall, cpu, peak }: Taken): Row {
  return {
    what: `import, ${rows / 1e6}M rows, peak memory`,
    figure: peak / 1024,
    unit: 'MB',
    goal: { atMost: 150 },
    measured: {
      seconds: wall / 1000,
      'rows/s': rows / (wall / 1000),
      'cpu µs/row': (cpu * 1000) / rows,
    },
  };
}

/** Posts per second of the generator in Node. */
async function postPlainly(target: readonly string[], ...kind: readonly string[]): Promise<number> {
  const script = path.join(import.meta.dirname, '../load/post.ts');
  const words = ['--import', 'tsx', script, ...target, `${CONCURRENCY}`, `${SECONDS}`, ...kind];
  const { stdout } = await run(process.execPath, words, { env: cleanEnvironment() });
  return Number(stdout);
}

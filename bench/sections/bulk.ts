import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readCursor } from '../cursors.ts';
import { copyDatabase, openDatabase, startPetstore } from '../databases.ts';
import type { Effort } from '../load.ts';
import { builds, type Command, runCommand, type Server, workFolder } from '../programs.ts';
import { median, pairedRatio, type Row } from '../report.ts';

const IMPORTED = 100_000;
const LISTED = 1_000_000;

/** Whole files in, whole lists out, beside plain loops that do the same and check nothing. */
export async function measure({ rounds }: Effort): Promise<Row[]> {
  const times = Math.ceil(rounds / 2);
  return [...(await measureImport(times)), ...measureCheck(times), ...(await measureList(times))];
}

function petstore(words: readonly string[], variables: Record<string, string> = {}): Command {
  const folder = (name: string) => path.join(workFolder, 'home', name);
  return {
    name: words.join(' '),
    words: [process.execPath, builds[0]?.program ?? '', ...words],
    variables: {
      XDG_CONFIG_HOME: folder('config'),
      XDG_STATE_HOME: folder('state'),
      XDG_CACHE_HOME: folder('cache'),
      ...variables,
    },
  };
}

function writeDelivery(rows: number): string {
  const file = path.join(workFolder, `delivery-${rows}.csv`);
  const lines = Array.from({ length: rows }, (_, at) => `Rex ${at},${(at % 50) + 1},available`);
  writeFileSync(file, `name,categoryId,status\n${lines.join('\n')}\n`);
  return file;
}

async function withService<T>(rows: number, use: (server: Server, key: string) => Promise<T>) {
  const [build] = builds;
  if (build === undefined) throw new Error('Nothing to measure.');
  const database = copyDatabase(openDatabase(build, rows));
  const server = await startPetstore(build, database);
  try {
    return await use(server, database.key);
  } finally {
    await server.stop();
  }
}

async function measureImport(times: number): Promise<Row[]> {
  const file = writeDelivery(IMPORTED);
  return await withService(1_000, async (server, key) => {
    const words = ['import', file, '--again', '-e', 'staging'];
    const target = { PETSTORE_STAGING_URL: server.url, PETSTORE_API_KEY: key };
    const script = path.join(import.meta.dirname, '../loops.mjs');
    const plain = {
      name: 'plain loop',
      words: [process.execPath, script, 'post', server.url, file],
    };
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < times; round += 1) {
      theirs.push(runCommand({ ...plain, variables: { PETSTORE_API_KEY: key } }).wall);
      ours.push(runCommand(petstore(words, target)).wall);
    }
    const figure = pairedRatio(theirs, ours);
    const measured = { 'rows/s': (IMPORTED * 1000) / median(ours) };
    const what = 'import, 100,000 rows, beside a plain undici loop with keys';
    return [{ what, figure, unit: 'of undici', goal: { atLeast: 0.85 }, measured }];
  });
}

function measureCheck(times: number): Row[] {
  const file = writeDelivery(1_000_000);
  const words = ['import', file, '--dry-run', '-e', 'staging'];
  const target = { PETSTORE_STAGING_URL: 'http://127.0.0.1:1/v1', PETSTORE_API_KEY: 'unused' };
  const script = path.join(import.meta.dirname, '../loops.mjs');
  const plain = { name: 'csv-parse', words: [process.execPath, script, 'parse', file] };
  const pairs = Array.from({ length: times }, () => ({
    theirs: runCommand(plain),
    ours: runCommand(petstore(words, target)),
  }));
  const ours = pairs.map((pair) => pair.ours.wall);
  const theirs = pairs.map((pair) => pair.theirs.wall);
  return [
    {
      what: 'check of a million rows beside csv-parse alone',
      figure: pairedRatio(ours, theirs),
      unit: 'x',
      goal: { atMost: 2.5 },
      measured: { seconds: median(ours) / 1000 },
    },
    {
      what: 'check of a million rows, peak memory',
      figure: median(pairs.map((pair) => pair.ours.peak)),
      unit: 'MB',
      goal: { atMost: 300 },
    },
  ];
}

async function measureList(times: number): Promise<Row[]> {
  return await withService(LISTED, async (server, key) => {
    const target = { PETSTORE_STAGING_URL: server.url, PETSTORE_API_KEY: key };
    const list = petstore(['list', '--all', '--ndjson', '-e', 'staging'], target);
    const config = path.join(workFolder, 'pages.curl');
    writeFileSync(config, await describePages(server, key));
    const curl = { name: 'curl', words: ['curl', '-sS', '--fail', '-K', config] };
    const pairs = Array.from({ length: times }, () => ({
      theirs: runCommand(curl).wall,
      ours: runCommand(list),
    }));
    const walls = pairs.map(({ ours }) => ours.wall);
    return [
      {
        what: 'list --all --ndjson, a million pets, beside curl',
        figure: pairedRatio(
          pairs.map(({ theirs }) => theirs),
          walls,
        ),
        unit: 'of curl',
        goal: { atLeast: 0.6 },
        measured: { 'pets/s': (LISTED * 1000) / median(walls) },
      },
      {
        what: 'list --all --ndjson, a million pets, peak memory',
        figure: median(pairs.map(({ ours }) => ours.peak)),
        unit: 'MB',
        goal: { atMost: 100 },
      },
    ];
  });
}

/** curl's config: the same pages over one connection. */
async function describePages({ url, ...server }: Server, key: string): Promise<string> {
  const cursorOf = await readCursor({ url, ...server }, key);
  const lines = [`header = "Authorization: Bearer ${key}"`, `url = "${url}/pets?limit=100"`];
  for (let after = 100; after < LISTED; after += 100)
    lines.push(`url = "${url}/pets?limit=100&cursor=${cursorOf(after)}"`);
  return [...lines, ...lines.slice(1).map(() => 'output = "/dev/null"')].join('\n');
}

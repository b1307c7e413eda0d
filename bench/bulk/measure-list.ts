import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { encodeCursor } from '../../src/service/routes/cursor.ts';
import { openDatabase } from '../databases.ts';
import { measureOnce, type Taken } from '../measure-commands.ts';
import { buildMeasure } from '../native.ts';
import { program } from '../program.ts';
import type { Row } from '../report.ts';
import { startPetstore } from '../servers.ts';
import { median, pairedRatio } from '../statistics.ts';
import { describeTarget } from './target.ts';

const PAGE = 100;
const ROUNDS = 3;
const formats = ['ndjson', 'json'] as const;

/**
 * A whole catalogue listed in each format, beside curl on the same pages, one after the other, and beside a plain loop in
 * Node; with peak memory.
 */
export async function measureListAll(folder: string, rows: number): Promise<Row[]> {
  const database = await openDatabase(rows);
  const service = await startPetstore(database);
  const measure = buildMeasure();
  const variables = describeTarget(folder, service.url, database.key);
  const pages = path.join(folder, 'pages.curl');
  writeFileSync(pages, describePages(service.url, rows, database.key));
  const curl = { name: 'curl', words: ['curl', '-sS', '--fail', '-K', pages] };
  const script = path.join(import.meta.dirname, '../load/list.mjs');
  const plain = {
    name: 'undici',
    words: [process.execPath, script, service.url, database.key, String(PAGE)],
  };
  const taken: Record<'curl' | 'undici' | (typeof formats)[number], Taken[]> = {
    curl: [],
    undici: [],
    ndjson: [],
    json: [],
  };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      taken.curl.push(measureOnce(measure, curl));
      taken.undici.push(measureOnce(measure, plain));
      for (const format of formats) {
        const words = [process.execPath, program, 'list', '--all', '-o', format];
        taken[format].push(measureOnce(measure, { name: format, words, variables }));
      }
    }
  } finally {
    await service.stop();
  }
  return [
    ...formats.flatMap((format) => describeList(format, rows, taken[format], taken.curl)),
    describePlain(rows, taken.ndjson, taken.undici),
  ];
}

function describePlain(rows: number, ours: readonly Taken[], plain: readonly Taken[]): Row {
  const [our, their] = [ours, plain].map((taken) => taken.map(({ wall }) => wall));
  return {
    what: `list --all -o ndjson, ${rows / 1e6}M pets, beside undici printing the same`,
    figure: pairedRatio(their ?? [], our ?? []),
    unit: 'of undici',
    measured: { 'undici seconds': median(their ?? []) / 1000 },
  };
}

function describeList(
  format: string,
  rows: number,
  ours: readonly Taken[],
  curl: readonly Taken[],
): Row[] {
  const walls = { ours: ours.map(({ wall }) => wall), curl: curl.map(({ wall }) => wall) };
  const seconds = median(walls.ours) / 1000;
  const name = `list --all -o ${format}, ${rows / 1e6}M pets`;
  return [
    {
      what: `${name}, beside curl`,
      figure: pairedRatio(walls.curl, walls.ours),
      unit: 'of curl',
      goal: { atLeast: 0.8 },
      measured: {
        seconds,
        'cpu s': median(ours.map(({ cpu }) => cpu)) / 1000,
        'curl seconds': median(walls.curl) / 1000,
        'pets/s': rows / seconds,
      },
    },
    {
      what: `${name}, peak memory`,
      figure: Math.max(...ours.map(({ peak }) => peak)) / 1024,
      unit: 'MB',
      goal: { atMost: 100 },
    },
  ];
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

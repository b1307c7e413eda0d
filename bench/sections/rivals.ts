import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { copyDatabase } from '../databases.ts';
import { compareServers, type Effort, sendRequest } from '../load.ts';
import { type Server, workFolder } from '../programs.ts';
import { compare, median, type Row } from '../report.ts';
import {
  installRivals,
  type Pet,
  type Rival,
  startDirectus,
  startJsonServer,
  startMockoon,
  startOurs,
  startPrism,
} from '../rivals.ts';

const ROWS = 1_000;
const ADDS = 20;

const body = JSON.stringify({ name: 'Rex', categoryId: 7, status: 'available' });

const requests = {
  'page of 20': ({ pets, limit }: Rival) => ({ path: `${pets}?${limit}=20` }),
  pet: ({ pets }: Rival) => ({ path: `${pets}/7` }),
  add: ({ pets }: Rival) => ({ path: pets, body }),
} as const;

/** What npm offers to somebody who wants this API served: the same requests, each server on the same pets. */
export async function measure(effort: Effort): Promise<Row[]> {
  installRivals();
  const own = await startOurs(copyDatabase(ROWS));
  const rivals = [own];
  try {
    const pets = Array.from({ length: ROWS }, (_, at) => describePet(at + 1));
    const page = pets.slice(0, 20);
    const document = await saveOpenApi(own.server, page);
    rivals.push(await startJsonServer(pets));
    rivals.push(await startPrism(document));
    rivals.push(await startMockoon(pets));
    rivals.push(await startDirectus(pets));
    for (const rival of rivals) await checkPage(rival, page);
    return [
      await measureLoad('page of 20', rivals, effort),
      await measureLoad('pet', rivals, effort),
      await measureLoad('add', rivals, effort),
      await measureFlushes(rivals),
    ];
  } finally {
    for (const { stop } of rivals) await stop();
  }
}

/** As `databases.ts` fills a store. */
function describePet(id: number): Pet {
  const statuses = ['available', 'pending', 'available', 'sold'];
  return { id, name: `Rex ${id}`, categoryId: (id % 50) + 1, status: statuses[id % 4] ?? '' };
}

/** The contract as our service publishes it, with a page in it, which Prism sends. */
async function saveOpenApi(service: Server, pets: readonly Pet[]): Promise<string> {
  const file = path.join(workFolder, 'openapi.json');
  const response = await fetch(new URL('/openapi.json', service.url));
  const schema = '"schema":{"$ref":"#/components/schemas/Pets"}';
  const example = `"example":${JSON.stringify(pets)}`;
  const document = await response.text();
  writeFileSync(
    file,
    document.replace(schema, () => `${schema},${example}`),
  );
  return file;
}

const id = v.pipe(v.union([v.string(), v.number()]), v.transform(Number));
const Page = v.array(v.object({ id, name: v.string(), categoryId: id, status: v.string() }));
/** Directus has its rows in `data`. */
const Response = v.union([Page, v.object({ data: Page })]);

/** All send the same page. */
async function checkPage(rival: Rival, expected: readonly Pet[]): Promise<void> {
  const response = await sendRequest(rival, requests['page of 20'](rival));
  const page = v.parse(Response, await response.json());
  const pets = Array.isArray(page) ? page : page.data;
  if (!isDeepStrictEqual(pets, expected)) throw new Error(`${rival.server.name} has another page.`);
}

async function measureLoad(
  what: keyof typeof requests,
  rivals: readonly Rival[],
  effort: Effort,
): Promise<Row> {
  const contenders = rivals.map((rival) => ({ ...rival, requests: [requests[what](rival)] }));
  const [own, ...others] = await compareServers(contenders, effort);
  if (own === undefined) throw new Error('Nothing was measured.');
  return {
    what,
    figure: median(own.perSecond),
    unit: '/s',
    others: others.map(({ perSecond }, at) =>
      compare(rivals[at + 1]?.server.name ?? '', own.perSecond, perSecond),
    ),
    also: { 'p99 ms': median(own.p99) },
  };
}

/**
 * Whether an add is on the disk when it is responded to: how often the disk was asked to write its own cache, per add.
 * The least of some tries, as others may write meanwhile. Where it is below 1, adds are not durable.
 */
async function measureFlushes(rivals: readonly Rival[]): Promise<Row> {
  const counts: Record<string, number> = {};
  for (const rival of rivals) {
    const tries = [];
    for (let at = 0; at < 5; at += 1) tries.push(await countFlushes(rival));
    counts[rival.server.name] = Math.min(...tries);
  }
  const { petstore: figure = Number.NaN, ...also } = counts;
  return { what: 'writes of the disk cache per add', figure, unit: '', also };
}

async function countFlushes(rival: Rival): Promise<number> {
  const before = readFlushes();
  for (let at = 0; at < ADDS; at += 1) await (await sendRequest(rival, requests.add(rival))).text();
  const counts = readFlushes().map((count, disk) => count - (before[disk] ?? 0));
  return Math.max(...counts) / ADDS;
}

/** Linux's count for each disk (Documentation/admin-guide/iostats.rst), of partitions always 0. */
function readFlushes(): number[] {
  const lines = readFileSync('/proc/diskstats', 'utf8').trim().split('\n');
  return lines.map((line) => Number(line.trim().split(/\s+/)[18]));
}

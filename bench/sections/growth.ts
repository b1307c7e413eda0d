import { readCursor } from '../cursors.ts';
import { openDatabase, startPetstore } from '../databases.ts';
import { compareServers, type Effort } from '../load.ts';
import { builds, type Server } from '../programs.ts';
import { median, pairedRatio, type Row } from '../report.ts';

const sizes = [1_000, 10_000_000];

/** A page in the middle of a large store beside one of a small store, oldest and newest first: CPU time of the service. */
export async function measure(effort: Effort): Promise<Row[]> {
  const [build] = builds;
  if (build === undefined) throw new Error('Nothing to measure.');
  const stores = [];
  for (const rows of sizes) {
    const database = openDatabase(build, rows);
    stores.push({ rows, key: database.key, server: await startPetstore(build, database) });
  }
  try {
    const rows: Row[] = [];
    for (const order of ['asc', 'desc']) {
      const contenders = [];
      for (const { rows: size, key, server } of stores)
        contenders.push({ server, key, requests: await findPages(server, key, size, order) });
      const [small, large] = await compareServers(contenders, effort);
      if (small === undefined || large === undefined) throw new Error('Nothing was measured.');
      rows.push({
        what: `middle page, order=${order}, 10 million pets over a thousand`,
        figure: pairedRatio(large.cpuPerRequest, small.cpuPerRequest),
        unit: 'x cpu',
        goal: { atMost: 1.1 },
        measured: { 'cpu µs': median(large.cpuPerRequest) },
      });
    }
    return rows;
  } finally {
    for (const { server } of stores) await server.stop();
  }
}

/** 9,900 different pages around the middle of the store, more than the service caches. */
async function findPages(server: Server, key: string, size: number, order: string) {
  const cursorOf = await readCursor(server, key, order);
  const limits = Array.from({ length: 11 }, (_, at) => 15 + at);
  const ids = Array.from({ length: 900 }, (_, at) => size / 2 - 450 + at);
  return limits.flatMap((limit) =>
    ids.map((id) => ({
      path: `/v1/pets?limit=${limit}&order=${order}&cursor=${cursorOf(id)}`,
    })),
  );
}

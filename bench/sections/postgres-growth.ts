import { openPostgresCluster } from '../../test/support/postgres-cluster.ts';
import { compareServers } from '../compare-servers.ts';
import type { Effort } from '../effort.ts';
import { firstPage, pagesAfter, petsById, spreadIds } from '../loads.ts';
import { makePostgresDatabase } from '../postgres-databases.ts';
import { buildVariant, uncached } from '../program.ts';
import type { Row } from '../report.ts';
import { startPetstore } from '../servers.ts';

const questions = {
  'first page': () => firstPage,
  'middle page': (rows: number) => pagesAfter(spreadIds(rows / 2, rows / 2 + 99, 100)),
  'filtered page': (rows: number) =>
    pagesAfter(spreadIds(rows / 2, rows / 2 + 99, 100), '&status=sold'),
  'get one': (rows: number) => petsById(spreadIds(rows / 2, rows / 2 + 99, 100)),
};

/** The cost of a page as the store grows: what one client waits, for service and database together. */
export async function measure(effort: Effort): Promise<Row[]> {
  const cluster = await openPostgresCluster({ durable: true });
  try {
    return await measureGrowth(cluster.url, effort);
  } finally {
    await cluster.close();
  }
}

async function measureGrowth(server: string, effort: Effort): Promise<Row[]> {
  const main = await buildVariant('uncached', uncached);
  const sizes = [1_000, 100_000, effort.million];
  const stores = [];
  for (const [index, rows] of sizes.entries()) {
    const database = await makePostgresDatabase(server, `growth_${index}`, rows);
    stores.push({ index, rows, database, server: await startPetstore(database, {}, main) });
  }
  try {
    const rows: Row[] = [];
    for (const [what, ask] of Object.entries(questions)) {
      const results = await compareServers(
        stores.map(({ index, rows: size, database, server: instance }) => ({
          name: String(index),
          server: instance,
          key: database.key,
          load: { name: `postgres-growth-${index}`, requests: ask(size), connections: 1 },
        })),
        effort,
      );
      // The least disturbed round of each.
      const wait = (index: number) =>
        Math.min(...(results.get(String(index)) ?? []).map(({ p50 }) => p50));
      rows.push({
        what: `${what}, ${sizes.at(-1)} rows against 1k`,
        figure: wait(sizes.length - 1) / wait(0),
        unit: 'x time',
        goal: { atMost: 1.25 },
        measured: Object.fromEntries(sizes.map((size, index) => [`${size} rows ms`, wait(index)])),
      });
    }
    return rows;
  } finally {
    await Promise.all(stores.map(({ server: instance }) => instance.stop()));
  }
}

import { compareServers, summarize } from '../compare-servers.ts';
import { openDatabase } from '../databases.ts';
import type { Effort } from '../effort.ts';
import { firstPage, pagesAfter, petsById, spreadIds } from '../loads.ts';
import { buildVariant, uncached } from '../program.ts';
import type { Row } from '../report.ts';
import { startPetstore } from '../servers.ts';
import { pairedRatio } from '../statistics.ts';

const sizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/** What is asked of a store of so many pets. A hundred different pages of each kind, so that it is not one that is cached. */
const questions = {
  'first page': () => firstPage,
  'middle page': (rows: number) => pagesAfter(spreadIds(rows / 2, rows / 2 + 99, 100)),
  'last page': (rows: number) => pagesAfter([rows - 20]),
  'filtered page': (rows: number) =>
    pagesAfter(spreadIds(rows / 2, rows / 2 + 99, 100), '&status=sold'),
  'get one': (rows: number) => petsById(spreadIds(rows / 2, rows / 2 + 99, 100)),
};

/** CPU time per request as the store grows. Nothing is cached here, or only the cache would be measured. */
export async function measure(effort: Effort): Promise<Row[]> {
  const main = await buildVariant('uncached', uncached);
  const stores = [];
  for (const rows of sizes) {
    const database = await openDatabase(rows);
    stores.push({ rows, database, server: await startPetstore(database, {}, main) });
  }
  try {
    const rows: Row[] = [];
    for (const [what, ask] of Object.entries(questions)) {
      const results = await compareServers(
        stores.map(({ rows: size, database, server }) => ({
          name: String(size),
          server,
          key: database.key,
          load: { name: `growth-${size}`, requests: ask(size), connections: 16 },
        })),
        effort,
      );
      const costs = (size: number) =>
        (results.get(String(size)) ?? []).map(({ cpuPerRequest }) => cpuPerRequest);
      rows.push({
        what: `${what}, 10M rows against 1k`,
        figure: pairedRatio(costs(10_000_000), costs(1_000)),
        unit: 'x cpu',
        goal: { atMost: 1.25 },
        measured: Object.fromEntries(
          sizes.map((size) => [
            `${size} rows µs`,
            summarize(results.get(String(size)) ?? []).cpuPerRequest,
          ]),
        ),
      });
    }
    return rows;
  } finally {
    await Promise.all(stores.map(({ server }) => server.stop()));
  }
}

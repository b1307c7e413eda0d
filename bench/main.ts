/** Usage: npm run bench -- [section…] [--quick] [--save]. See README.md. */
import { parseArgs } from 'node:util';
import type { Effort } from './load.ts';
import { printRows, type Row, saveRows } from './report.ts';

const sections: Record<string, () => Promise<{ measure(effort: Effort): Promise<Row[]> }>> = {
  startup: () => import('./sections/startup.ts'),
  service: () => import('./sections/service.ts'),
  growth: () => import('./sections/growth.ts'),
  bulk: () => import('./sections/bulk.ts'),
  rivals: () => import('./sections/rivals.ts'),
  attacks: () => import('./sections/attacks.ts'),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, save: { type: 'boolean' } },
});
const effort: Effort = values.quick
  ? { rounds: 3, seconds: 1, runs: 7 }
  : { rounds: 7, seconds: 3, runs: 31 };
const measured = new Map<string, Row[]>();
for (const [name, load] of Object.entries(sections)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const { measure } = await load();
  const rows = await measure(effort);
  printRows(name, rows);
  measured.set(name, rows);
}
if (values.save) saveRows(measured);

/** Usage: npm run bench -- [section…] [--quick] [--save]. See README.md. */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Effort } from './load.ts';
import { workFolder } from './programs.ts';
import { printRows, type Row, saveRows } from './report.ts';

const sections: Record<string, () => Promise<{ measure(effort: Effort): Promise<Row[]> }>> = {
  commands: () => import('./sections/commands.ts'),
  bulk: () => import('./sections/bulk.ts'),
  rivals: () => import('./sections/rivals.ts'),
  service: () => import('./sections/service.ts'),
  attacks: () => import('./sections/attacks.ts'),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, save: { type: 'boolean' } },
});
const unknown = positionals.find((name) => !Object.hasOwn(sections, name));
if (unknown !== undefined) throw new Error(`There is no section ${unknown}.`);
if (values.save && (values.quick || positionals.length > 0))
  throw new Error('--save takes all sections, at full length.');
const effort: Effort = values.quick
  ? { rounds: 1, seconds: 1, runs: 3 }
  : { rounds: 5, seconds: 3, runs: 21 };

process.once('exit', () => rmSync(workFolder, { recursive: true, force: true }));
// Otherwise a signal would end this process without the listeners of `exit`, which end the servers.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

const measured = new Map<string, Row[]>();
for (const [name, load] of Object.entries(sections)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const start = performance.now();
  const { measure } = await load();
  const rows = await measure(effort);
  const minutes = (performance.now() - start) / 60_000;
  printRows(`${name}, measured in ${minutes.toFixed(1)} minutes`, rows);
  measured.set(name, rows);
}
if (values.save) saveRows(measured);

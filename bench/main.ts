/**
 * Measures petstore beside what people would use instead: `npm run bench`, or `npm run bench -- startup reads` for some
 * sections, `--quick` for short runs that show the way but not the figure, `--save` to write results.json.
 */
import type { Effort } from './effort.ts';
import { printRows, type Row, saveRows } from './report.ts';

const sections: Record<string, () => Promise<{ measure(effort: Effort): Promise<Row[]> }>> = {
  startup: () => import('./sections/startup.ts'),
  reads: () => import('./sections/reads.ts'),
  adds: () => import('./sections/adds.ts'),
  growth: () => import('./sections/growth.ts'),
  bulk: () => import('./sections/bulk.ts'),
  postgres: () => import('./sections/postgres.ts'),
  'postgres-growth': () => import('./sections/postgres-growth.ts'),
  rivals: () => import('./sections/rivals.ts'),
  install: () => import('./sections/install.ts'),
  memory: () => import('./sections/memory.ts'),
  against: () => import('./sections/against.ts'),
};

const words = process.argv.slice(2);
const effort: Effort = words.includes('--quick')
  ? { rounds: 3, seconds: 1, runs: 10, million: 100_000 }
  : { rounds: 7, seconds: 3, runs: 60, million: 1_000_000 };
const named = words.filter((word) => !word.startsWith('--'));
// Only by name: it needs another build to compare with.
const usual = Object.keys(sections).filter((name) => name !== 'against');
for (const name of named.length > 0 ? named : usual) {
  const load = sections[name];
  if (load === undefined) {
    throw new Error(`Unknown section ${name}: choose from ${Object.keys(sections).join(', ')}.`);
  }
  const rows = await (await load()).measure(effort);
  printRows(name, rows);
  if (words.includes('--save')) saveRows(name, rows);
}

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';

/** One line of the table: a figure, what it should be, and the measurements it was made from. */
export interface Row {
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number } | undefined;
  readonly measured?: Readonly<Record<string, number>>;
}

/** The middle value: one disturbed run does not move it. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The median of a's figure over b's, round by round: both ran within the same seconds, on the same machine. */
export function pairedRatio(a: readonly number[], b: readonly number[]): number {
  return median(a.map((value, round) => value / (b[round] ?? Number.NaN)));
}

export function printRows(section: string, rows: readonly Row[]): void {
  process.stdout.write(`\n${section}\n`);
  for (const row of rows) {
    const figure = `${round(row.figure)} ${row.unit}`;
    const goal = describeGoal(row).padEnd(22);
    process.stdout.write(
      `  ${row.what.padEnd(52)} ${figure.padStart(14)}  ${goal} ${describeMeasured(row)}\n`,
    );
  }
}

/** Replaces the table of `bench/README.md`. */
export function saveRows(sections: ReadonlyMap<string, readonly Row[]>): void {
  const file = path.join(import.meta.dirname, 'README.md');
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  const lines = [...sections].flatMap(([section, rows]) =>
    rows.map(
      (row) =>
        `| ${section} | ${row.what} | ${round(row.figure)} ${row.unit} | ${describeGoal(row)} | ${describeMeasured(row)} |`,
    ),
  );
  const table = [
    `Measured on ${date}: ${machine}.`,
    '',
    '| section | what | figure | goal | measured |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
  const [before = ''] = readFileSync(file, 'utf8').split('<!-- figures -->');
  writeFileSync(file, `${before}<!-- figures -->\n${table}\n`);
}

function describeGoal({ figure, goal }: Row): string {
  if (goal === undefined) return '';
  if ('atMost' in goal) return `at most ${goal.atMost}${figure > goal.atMost ? ', missed' : ''}`;
  return `at least ${goal.atLeast}${figure < goal.atLeast ? ', missed' : ''}`;
}

function describeMeasured({ measured = {} }: Row): string {
  return Object.entries(measured)
    .map(([name, value]) => `${name} ${round(value)}`)
    .join(', ');
}

/** Three significant digits. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}

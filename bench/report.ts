import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import path from 'node:path';

/** One line of the table: a figure, what it should be, and the measurements it was made from. */
export interface Row {
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number };
  readonly measured?: Readonly<Record<string, number | string>>;
}

const file = path.join(import.meta.dirname, 'results.json');

/** Whether the row's goal is met; undefined when it has none. */
function isMet({ figure, goal }: Row): boolean | undefined {
  if (goal === undefined) return undefined;
  return 'atMost' in goal ? figure <= goal.atMost : figure >= goal.atLeast;
}

/** Prints a section's rows. */
export function printRows(section: string, rows: readonly Row[]): void {
  const lines = rows.map((row) => {
    const goal = describeGoal(row);
    const measured = Object.entries(row.measured ?? {})
      .map(([name, value]) => `${name} ${typeof value === 'number' ? round(value) : value}`)
      .join(', ');
    const figure = `${round(row.figure)} ${row.unit}`;
    return `  ${row.what.padEnd(58)} ${figure.padStart(12)}  ${goal.padEnd(16)} ${measured}`.trimEnd();
  });
  process.stdout.write(`\n${section}\n${lines.join('\n')}\n`);
}

function describeGoal(row: Row): string {
  if (row.goal === undefined) return '';
  const bound = 'atMost' in row.goal ? `<= ${row.goal.atMost}` : `>= ${row.goal.atLeast}`;
  return `${bound} ${isMet(row) ? 'met' : 'MISSED'}`;
}

/** Three significant digits. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}

/** Puts a section into results.json; the others stay as they were measured before. */
export function saveRows(section: string, rows: readonly Row[]): void {
  const before: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const measuredOn = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cpu: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
  };
  const rounded = rows.map((row) => ({ ...row, met: isMet(row) }));
  const results = { ...Object(before), [section]: { measuredOn, rows: rounded } };
  const text = JSON.stringify(
    results,
    (_, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value),
    2,
  );
  writeFileSync(file, `${text}\n`);
}

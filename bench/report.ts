import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';

/** One line of the table: what petstore takes, beside what others take for the same. */
export interface Row {
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
  /** What the library that does it takes, without checks: nothing built on it can be faster. */
  readonly bound?: Comparison | undefined;
  readonly others?: readonly Comparison[];
  readonly also?: Readonly<Record<string, number>>;
}

/** What somebody else takes, and ours over theirs. */
export interface Comparison {
  readonly name: string;
  readonly figure: number;
  readonly ratio: number;
}

/** The middle value: one disturbed run does not move it. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The ratio is taken round by round: both ran within the same seconds, on the same machine. */
export function compare(
  name: string,
  ours: readonly number[],
  theirs: readonly number[],
): Comparison {
  const ratios = ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
  return { name, figure: median(theirs), ratio: median(ratios) };
}

export function printRows(section: string, rows: readonly Row[]): void {
  process.stdout.write(`\n${section}\n`);
  for (const row of rows) {
    const [what = '', figure = '', ...rest] = listCells(row);
    const others = rest.filter((cell) => cell !== '').join('; ');
    process.stdout.write(`  ${what.padEnd(50)} ${figure.padStart(14)}  ${others}\n`);
  }
}

/** Replaces the figures of `bench/README.md`. */
export function saveRows(sections: ReadonlyMap<string, readonly Row[]>): void {
  const file = path.join(import.meta.dirname, 'README.md');
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  const lines = [...sections].flatMap(([section, rows]) =>
    rows.map((row) => `| ${[section, ...listCells(row)].join(' | ')} |`),
  );
  const table = [
    `Measured on ${date}: ${machine}.`,
    '',
    '| section | what | petstore | bound | others | also |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
  const [before = ''] = readFileSync(file, 'utf8').split('<!-- figures -->');
  writeFileSync(file, `${before}<!-- figures -->\n${table}\n`);
}

function listCells({ what, figure, unit, bound, others = [], also = {} }: Row): string[] {
  const fields = Object.entries(also).map(([name, value]) => `${name} ${round(value)}`);
  return [
    what,
    `${round(figure)} ${unit}`,
    bound ? describeComparison(bound) : '',
    others.map(describeComparison).join(', '),
    fields.join(', '),
  ];
}

function describeComparison({ name, figure, ratio }: Comparison): string {
  return `${name} ${round(figure)} (${round(ratio)} x)`;
}

/** Three significant digits. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Area } from './areas.ts';
import {
  type FileReport,
  findIgnored,
  findSurvivors,
  type Mutant,
  readReport,
  readStrykerReport,
  updateReport,
  writeReport,
} from './report.ts';
import { runStryker, triesStatic } from './run-stryker.ts';

/** So many files that starting the tests costs little, and so few that a run which is stopped loses little. */
const FILES_PER_RUN = 6;

interface Task {
  readonly file: string;
  readonly earlier?: FileReport;
  /** What Stryker is to mutate. */
  readonly places: readonly string[];
}

/**
 * Runs the mutants of the files that have changed since they were done, and, where only tests have, once more those that
 * survived.
 */
export function testFiles(area: Area, files: readonly string[], tests: readonly string[]): void {
  const inputs = hashFiles(tests);
  const tasks = files.map((file) => findTask(file, inputs)).filter((task) => task !== undefined);
  for (let at = 0; at < tasks.length; at += FILES_PER_RUN) {
    const some = tasks.slice(at, at + FILES_PER_RUN);
    const found = runStryker(
      area,
      some.flatMap(({ places }) => places),
    );
    for (const { file, earlier } of some) {
      const later = readStrykerReport(found, file);
      writeReport(reportOf(file), earlier === undefined ? later : updateReport(earlier, later));
      writeFileSync(testsOf(file), inputs);
    }
  }
}

export function reportOf(file: string): string {
  return `mutation/.work/reports/${file}.json`;
}

/** By which tests the report was made. */
function testsOf(file: string): string {
  return `${reportOf(file)}.tests`;
}

function findTask(file: string, inputs: string): Task | undefined {
  const earlier = readReport(reportOf(file), readFileSync(file, 'utf8'));
  if (earlier === undefined) return { file, places: [file] };
  const isDone = existsSync(testsOf(file)) && readFileSync(testsOf(file), 'utf8') === inputs;
  const mutants = [
    ...(isDone ? [] : findSurvivors(earlier)),
    ...(triesStatic ? findIgnored(earlier) : []),
  ];
  if (mutants.length === 0) return undefined;
  return { file, earlier, places: [...new Set(mutants.map((one) => placeOf(file, one)))] };
}

/** As Stryker writes a range, whose columns begin at 0. */
function placeOf(file: string, { location: { start, end } }: Mutant): string {
  return `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}

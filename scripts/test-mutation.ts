/**
 * Makes one small mistake at a time in the source and reports those that no test notices.
 * `npm run test:mutation [-- <folder or file> …]`; mutation/README.md says how to read what it writes.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Area, areas } from './mutation/areas.ts';
import { type FileResult, readResult, readSurvivors, type Survivor } from './mutation/report.ts';
import { runStryker } from './mutation/run-stryker.ts';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
const isRead = readSurvivors('mutation/survivors.md');
const tree = ['src', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
);

const wanted = process.argv.slice(2);
const lines = areas.map((area) => {
  const files = tree.filter((file) => belongsTo(area, file) && isWanted(file)).sort();
  const results = files.map((file) => testFile(area, file));
  return files.length === 0 ? undefined : reportArea(area, results);
});
process.stdout.write(`\n${lines.filter((line) => line !== undefined).join('\n')}\n`);

function belongsTo(area: Area, file: string): boolean {
  return file.endsWith('.ts') && areas.find(({ source }) => file.startsWith(source)) === area;
}

function isWanted(file: string): boolean {
  return wanted.length === 0 || wanted.some((place) => file.startsWith(place));
}

/** Runs the mutants of a file, unless neither it nor its tests have changed since it was done. */
function testFile(area: Area, file: string): FileResult {
  const report = path.join('mutation/.work/reports', `${file}.json`);
  const marker = `${report}.inputs`;
  const inputs = hashInputs(area, file);
  if (!existsSync(marker) || readFileSync(marker, 'utf8') !== inputs) {
    mkdirSync(path.dirname(report), { recursive: true });
    runStryker(area, file, report);
    writeFileSync(marker, inputs);
  }
  const result = readResult(report, file);
  reportFile(file, result);
  return result;
}

function hashInputs(area: Area, file: string): string {
  const tests = tree.filter((one) => area.tests.some((place) => one.startsWith(place)));
  const hash = createHash('sha256');
  for (const input of [file, ...tests.filter((one) => one.endsWith('.ts')).sort()]) {
    hash.update(input).update(readFileSync(input));
  }
  return hash.digest('hex');
}

function reportFile(file: string, result: FileResult): void {
  process.stdout.write(`${file}: ${describe(result)}\n`);
  for (const { line, text } of findUnread(result)) process.stdout.write(`  ${line}  - ${text}\n`);
}

function findUnread({ survivors }: FileResult): Survivor[] {
  return survivors.filter((survivor) => !isRead(survivor));
}

function reportArea(area: Area, results: readonly FileResult[]): string {
  const sum: FileResult = {
    mutants: results.reduce((total, { mutants }) => total + mutants, 0),
    killed: results.reduce((total, { killed }) => total + killed, 0),
    timedOut: results.reduce((total, { timedOut }) => total + timedOut, 0),
    survivors: results.flatMap(({ survivors }) => survivors),
  };
  const score = scoreOf(sum);
  if (score < area.goal) process.exitCode = 1;
  return `${area.source} ${describe(sum)}, goal ${area.goal} %`;
}

function scoreOf({ mutants, survivors }: FileResult): number {
  return mutants === 0 ? 100 : (100 * (mutants - survivors.length)) / mutants;
}

function describe(result: FileResult): string {
  const { mutants, killed, timedOut, survivors } = result;
  const counts = `${mutants} mutants, ${killed} killed, ${timedOut} timed out, ${survivors.length} survived`;
  return `${scoreOf(result).toFixed(1)} %: ${counts}, ${findUnread(result).length} of them unread`;
}

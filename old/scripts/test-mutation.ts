/**
 * Makes one small mistake at a time in the source and reports those that no test notices.
 * `npm run test:mutation [-- <folder or file> …]`; mutation/README.md says how to read what it writes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Area, areas } from './mutation/areas.ts';
import { type FileResult, findLines, readReport, summarize } from './mutation/report.ts';
import { reportOf, testFiles } from './mutation/test-files.ts';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
const page = readFileSync('mutation/survivors.md', 'utf8');
const tree = ['src', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
);

const wanted = process.argv.slice(2);
const lines = areas.map((area) => {
  const files = tree.filter((file) => belongsTo(area, file) && isWanted(file)).sort();
  if (files.length === 0) return undefined;
  const tests = tree.filter((file) => area.tests.some((place) => file.startsWith(place)));
  testFiles(area, files, tests.filter((file) => file.endsWith('.ts')).sort());
  return reportArea(area, files.map(reportFile));
});
process.stdout.write(`\n${lines.filter((line) => line !== undefined).join('\n')}\n`);

function belongsTo(area: Area, file: string): boolean {
  return file.endsWith('.ts') && areas.find(({ source }) => file.startsWith(source)) === area;
}

function isWanted(file: string): boolean {
  return wanted.length === 0 || wanted.some((place) => file.startsWith(place));
}

function reportFile(file: string): FileResult {
  const report = readReport(reportOf(file), readFileSync(file, 'utf8'));
  const result = summarize(
    report ?? { source: '', mutants: [] },
    report === undefined ? [] : findLines(page, file),
  );
  process.stdout.write(`${file}: ${describe(result)}\n`);
  for (const { line, text } of result.unread) process.stdout.write(`  ${line}  - ${text}\n`);
  for (const line of result.stale) process.stdout.write(`  no such survivor any more: ${line}\n`);
  return result;
}

type Counts = Omit<FileResult, 'stale'>;

function reportArea(area: Area, results: readonly FileResult[]): string {
  const sum: Counts = {
    killed: results.reduce((total, { killed }) => total + killed, 0),
    timedOut: results.reduce((total, { timedOut }) => total + timedOut, 0),
    ignored: results.reduce((total, { ignored }) => total + ignored, 0),
    survived: results.reduce((total, { survived }) => total + survived, 0),
    unread: results.flatMap(({ unread }) => unread),
  };
  if (scoreOf(sum) < area.goal) process.exitCode = 1;
  return `${area.source} ${describe(sum)}, goal ${area.goal} %`;
}

function scoreOf({ killed, timedOut, survived }: Counts): number {
  const mutants = killed + timedOut + survived;
  return mutants === 0 ? 100 : (100 * (mutants - survived)) / mutants;
}

function describe(result: Counts): string {
  const { killed, timedOut, ignored, survived, unread } = result;
  const mutants = killed + timedOut + survived;
  const counts = `${mutants} mutants, ${killed} killed, ${timedOut} timed out, ${survived} survived`;
  const left = ignored === 0 ? '' : `, ${ignored} of loaded code not tried`;
  return `${scoreOf(result).toFixed(1)} %: ${counts}, ${unread.length} of them unread${left}`;
}

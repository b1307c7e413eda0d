/**
 * Makes one small mistake at a time in the source and reports those that no test notices.
 * `npm run test:mutation [-- <folder or file> …]`; mutation/README.md says how to read what it writes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Area, areas } from './mutation/areas.ts';
import {
  type FileResult,
  readReport,
  readSurvivors,
  type Survivor,
  summarize,
} from './mutation/report.ts';
import { reportOf, testFiles } from './mutation/test-files.ts';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
const isRead = readSurvivors('mutation/survivors.md');
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
  const result = summarize(file, report ?? { source: '', mutants: [] });
  process.stdout.write(`${file}: ${describe(result)}\n`);
  for (const { line, text } of findUnread(result)) process.stdout.write(`  ${line}  - ${text}\n`);
  return result;
}

function findUnread({ survivors }: FileResult): Survivor[] {
  return survivors.filter((survivor) => !isRead(survivor));
}

function reportArea(area: Area, results: readonly FileResult[]): string {
  const sum: FileResult = {
    mutants: results.reduce((total, { mutants }) => total + mutants, 0),
    killed: results.reduce((total, { killed }) => total + killed, 0),
    timedOut: results.reduce((total, { timedOut }) => total + timedOut, 0),
    ignored: results.reduce((total, { ignored }) => total + ignored, 0),
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
  const { mutants, killed, timedOut, ignored, survivors } = result;
  const counts = `${mutants} mutants, ${killed} killed, ${timedOut} timed out, ${survivors.length} survived`;
  const left = ignored === 0 ? '' : `, ${ignored} of loaded code not tried`;
  return `${scoreOf(result).toFixed(1)} %: ${counts}, ${findUnread(result).length} of them unread${left}`;
}

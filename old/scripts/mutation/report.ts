import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';

const Position = v.object({ line: v.number(), column: v.number() });

const Mutant = v.object({
  mutatorName: v.string(),
  replacement: v.optional(v.string(), ''),
  status: v.string(),
  location: v.object({ start: Position, end: Position }),
});

export type Mutant = v.InferOutput<typeof Mutant>;

const FileReport = v.object({ source: v.string(), mutants: v.array(Mutant) });

export type FileReport = v.InferOutput<typeof FileReport>;

/** The part we read of what Stryker writes, the format mutation-testing-report-schema. */
const StrykerReport = v.object({ files: v.record(v.string(), FileReport) });

interface Survivor {
  readonly line: number;
  /** As it is listed in mutation/survivors.md. */
  readonly text: string;
}

export interface FileResult {
  readonly killed: number;
  readonly timedOut: number;
  /** Of code that runs when it is loaded, left for a run that tries such mutants. */
  readonly ignored: number;
  readonly survived: number;
  /** The survivors without a line in mutation/survivors.md. */
  readonly unread: readonly Survivor[];
  /** Its lines there that are about no survivor. */
  readonly stale: readonly string[];
}

/** What Stryker found in a file; a file without a mutant is not in its report. */
export function readStrykerReport(report: string, file: string): FileReport {
  const { files } = v.parse(StrykerReport, JSON.parse(readFileSync(report, 'utf8')));
  return files[file] ?? { source: readFileSync(file, 'utf8'), mutants: [] };
}

/** What an earlier run found in a file, if it had the same source. */
export function readReport(report: string, source: string): FileReport | undefined {
  if (!existsSync(report)) return undefined;
  const earlier = v.parse(FileReport, JSON.parse(readFileSync(report, 'utf8')));
  return earlier.source === source ? earlier : undefined;
}

export function writeReport(report: string, result: FileReport): void {
  mkdirSync(path.dirname(report), { recursive: true });
  writeFileSync(report, JSON.stringify(result, undefined, 2));
}

/** An earlier report, with what became of the mutants that were tried again. */
export function updateReport(earlier: FileReport, later: FileReport): FileReport {
  const again = new Map(later.mutants.map((mutant) => [identify(mutant), mutant]));
  const mutants = earlier.mutants.map((mutant) => again.get(identify(mutant)) ?? mutant);
  return { source: earlier.source, mutants };
}

function identify({ mutatorName, replacement, location }: Mutant): string {
  return JSON.stringify([mutatorName, replacement, location]);
}

export function findSurvivors({ mutants }: FileReport): Mutant[] {
  return withStatus(mutants, 'Survived', 'NoCoverage');
}

export function findIgnored({ mutants }: FileReport): Mutant[] {
  return withStatus(mutants, 'Ignored');
}

/** What was found in a file, held against its lines in mutation/survivors.md. */
export function summarize(report: FileReport, lines: readonly string[]): FileResult {
  const survivors = findSurvivors(report);
  const timedOut = withStatus(report.mutants, 'Timeout');
  const ignored = findIgnored(report);
  const left = [...lines];
  const unread = survivors.filter((mutant) => !takeLine(left, textOf(report, mutant)));
  // What was not tried to its end may survive another run.
  for (const mutant of [...timedOut, ...ignored]) takeLine(left, textOf(report, mutant));
  return {
    // RuntimeError: a test file could not be loaded.
    killed: withStatus(report.mutants, 'Killed', 'RuntimeError').length,
    timedOut: timedOut.length,
    ignored: ignored.length,
    survived: survivors.length,
    unread: unread.map((mutant) => ({
      line: mutant.location.start.line,
      text: textOf(report, mutant),
    })),
    stale: left,
  };
}

/** Each line is about one mutant: equal ones have a line each. */
function takeLine(lines: string[], text: string): boolean {
  const at = lines.findIndex((line) => line.startsWith(`- ${text}: `));
  if (at !== -1) lines.splice(at, 1);
  return at !== -1;
}

function textOf({ source }: FileReport, { mutatorName, replacement, location }: Mutant): string {
  return `${mutatorName}: ${quote(cut(source, location))} → ${quote(replacement)}`;
}

function withStatus(mutants: readonly Mutant[], ...statuses: string[]): Mutant[] {
  return mutants.filter(({ status }) => statuses.includes(status));
}

/** The lines of mutation/survivors.md below the heading of a file, each put back on one line. */
export function findLines(page: string, file: string): string[] {
  const section = page.split(/^## /m).find((one) => one.startsWith(`${file}\n`)) ?? '';
  const [, ...lines] = section.split(/\n(?=- )/);
  return lines.map((line) => line.trim().replace(/\n +/g, ' '));
}

function cut(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, end.column - 1) ?? '';
  lines[0] = lines[0]?.slice(start.column - 1) ?? '';
  return lines.join('\n');
}

/** On one line, and short enough for a list. */
function quote(code: string): string {
  const line = code.replace(/\s+/g, ' ').trim();
  return `\`${line.length > 70 ? `${line.slice(0, 69)}…` : line}\``;
}

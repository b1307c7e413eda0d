import { readFileSync } from 'node:fs';
import * as v from 'valibot';

const Position = v.object({ line: v.number(), column: v.number() });

/** The part we read of what Stryker writes, the format mutation-testing-report-schema. */
const StrykerReport = v.object({
  files: v.record(
    v.string(),
    v.object({
      source: v.string(),
      mutants: v.array(
        v.object({
          mutatorName: v.string(),
          replacement: v.optional(v.string(), ''),
          status: v.string(),
          location: v.object({ start: Position, end: Position }),
        }),
      ),
    }),
  ),
});

export interface Survivor {
  readonly file: string;
  readonly line: number;
  /** As it is listed in mutation/survivors.md. */
  readonly text: string;
}

export interface FileResult {
  readonly mutants: number;
  readonly killed: number;
  readonly timedOut: number;
  readonly survivors: readonly Survivor[];
}

/** What Stryker found in a source file. */
export function readResult(report: string, file: string): FileResult {
  const { files } = v.parse(StrykerReport, JSON.parse(readFileSync(report, 'utf8')));
  const entry = files[file];
  if (entry === undefined) return { mutants: 0, killed: 0, timedOut: 0, survivors: [] };
  const withStatus = (...statuses: string[]) =>
    entry.mutants.filter(({ status }) => statuses.includes(status));
  const survivors = withStatus('Survived', 'NoCoverage');
  // RuntimeError: a test file could not be loaded.
  const killed = withStatus('Killed', 'RuntimeError').length;
  const timedOut = withStatus('Timeout').length;
  return {
    mutants: survivors.length + killed + timedOut,
    killed,
    timedOut,
    survivors: survivors.map(({ mutatorName, replacement, location }) => ({
      file,
      line: location.start.line,
      text: `${mutatorName}: ${quote(cut(entry.source, location))} → ${quote(replacement)}`,
    })),
  };
}

/** Whether a survivor has its line in the section of its file, which a heading names. */
export function readSurvivors(page: string): (survivor: Survivor) => boolean {
  const sections = readFileSync(page, 'utf8').split(/^## /m);
  return ({ file, text }) =>
    sections.some((section) => section.startsWith(`${file}\n`) && section.includes(`\n- ${text}`));
}

type Location = Record<'start' | 'end', v.InferOutput<typeof Position>>;

function cut(source: string, { start, end }: Location): string {
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

import * as v from 'valibot';

const Results = v.record(
  v.string(),
  v.object({
    measuredOn: v.object({ date: v.string(), node: v.string(), cpu: v.string() }),
    rows: v.array(
      v.object({
        what: v.string(),
        figure: v.number(),
        unit: v.string(),
        goal: v.optional(
          v.union([v.object({ atMost: v.number() }), v.object({ atLeast: v.number() })]),
        ),
        met: v.optional(v.boolean()),
      }),
    ),
  }),
);

/** The benchmark's results (bench/results.json) as Markdown: every figure, those that missed their goal too. */
export function renderFigures(json: string): string {
  const sections = Object.entries(v.parse(Results, JSON.parse(json)));
  const rows = sections.flatMap(([name, section]) =>
    section.rows.map((row) => `| ${name} ${renderRow(row)}`),
  );
  const runs = sections.map(([, { measuredOn }]) => describeRun(measuredOn));
  return [
    '| section | what | figure | goal |',
    '|---|---|---|---|',
    ...rows,
    '',
    `Measured ${[...new Set(runs)].join('; ')}.`,
    '',
  ].join('\n');
}

/** The figures that matter most to users, by section, name and unit. */
const highlights = [
  [
    'startup',
    'list --json',
    'x node',
    (n: string) => `\`list\` takes ${n} times as long as starting Node`,
  ],
  [
    'reads',
    'list, hot page',
    'of limit',
    (n: string) => `a page that many ask for: ${n} of what bare \`node:http\` serves from memory`,
  ],
  [
    'adds',
    'add, 64 connections, over',
    'x',
    (n: string) => `durable adds over 64 connections: ${n} times as many as one by one`,
  ],
  [
    'bulk',
    'list --all',
    'of curl',
    (n: string) =>
      `\`list --all\` of a million pets: ${n} of the speed of curl reading the same pages`,
  ],
  [
    'growth',
    'middle page',
    'x cpu',
    (n: string) =>
      `a page in the middle of ten million pets: ${n} times the CPU time of one among a thousand`,
  ],
] as const;

/** A line per highlight. */
export function renderHighlights(json: string): string {
  const results = v.parse(Results, JSON.parse(json));
  const lines = highlights.map(([name, what, unit, say]) => {
    const section = results[name];
    const row = section?.rows.find((one) => one.what.startsWith(what) && one.unit === unit);
    if (!section || !row) throw new Error(`The results have no row ${name}: ${what}.`);
    return `- ${say(formatNumber(row.figure))} (${section.measuredOn.date})`;
  });
  return [...lines, ''].join('\n');
}

type Section = v.InferOutput<typeof Results>[string];
type Row = Section['rows'][number];

function describeRun({ date, node, cpu }: Section['measuredOn']): string {
  return `${date}, ${node}, ${cpu}`;
}

function renderRow({ what, figure, unit, goal, met }: Row): string {
  const bound = goal && ('atMost' in goal ? `at most ${goal.atMost}` : `at least ${goal.atLeast}`);
  const verdict = met === false ? ', missed' : '';
  return `| ${what} | ${formatNumber(figure)} ${unit} | ${bound ?? ''}${verdict} |`;
}

/** Three significant digits. */
function formatNumber(figure: number): string {
  return String(Number(figure.toPrecision(3)));
}

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
  const places = sections.map(
    ([, { measuredOn }]) => `${measuredOn.date}, ${measuredOn.node}, ${measuredOn.cpu}`,
  );
  return [
    '| section | what | figure | goal |',
    '|---|---|---|---|',
    ...rows,
    '',
    `Measured ${[...new Set(places)].join('; ')}.`,
    '',
  ].join('\n');
}

type Row = v.InferOutput<typeof Results>[string]['rows'][number];

function renderRow({ what, figure, unit, goal, met }: Row): string {
  const bound = goal && ('atMost' in goal ? `at most ${goal.atMost}` : `at least ${goal.atLeast}`);
  const verdict = met === false ? ', missed' : '';
  return `| ${what} | ${Number(figure.toPrecision(3))} ${unit} | ${bound ?? ''}${verdict} |`;
}

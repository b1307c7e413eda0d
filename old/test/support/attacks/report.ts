import { type AttackResult, countResent, listFailures } from './run-attack.ts';

const columns = [
  'attack',
  'in suite',
  'peak memory, MB',
  'longest /healthz of the metrics port, ms',
  'longest /healthz of the service’s port, ms',
  'longest of an idle server, ms',
  'client p99, ms',
  'longest outage, ms',
  'client errors',
  'resent',
  'seen',
  'bounds broken',
];

/** The head of the table in Markdown. */
export function formatHead(): string {
  return `${formatRow(columns)}${formatRow(columns.map(() => '---'))}`;
}

/** The line of one attack. */
export function formatResult(result: AttackResult): string {
  const { attack, memory, witness, seen, broken } = result;
  const errors = witness && listFailures(witness.client.results, []);
  return formatRow([
    attack.name,
    attack.inSuite ? 'yes' : 'no',
    round(memory),
    round(witness?.metricsPortHealth.longest),
    round(witness?.health.longest),
    round(witness?.idle.longest),
    round(witness?.client.p99),
    round(witness?.client.outage),
    errors === undefined ? '–' : errors || 'none',
    round(witness && countResent(witness)),
    seen,
    broken.join('; '),
  ]);
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

function round(value: number | undefined): string {
  return value === undefined ? '–' : String(Math.round(value));
}

import path from 'node:path';
import { exitCodes, UserError } from '../../errors.ts';
import type { RowResult } from '../../import/send-rows.ts';
import type { Context } from '../../program/context.ts';
import { describeError } from '../../program/describe-error.ts';
import { listTypedOptions } from '../../program/next-lines.ts';
import type { Delivery } from './delivery.ts';
import { formatCount } from './format-count.ts';
import type { Totals } from './totals.ts';

/** Says on a terminal that all pets are there. @throws UserError with how far the import came, or what ended it. */
export async function concludeImport(
  context: Context,
  delivery: Delivery,
  totals: Totals,
): Promise<void> {
  const { checked, environment } = delivery;
  const { added, replayed, refused, unknown, stop, seconds, outputError } = totals;
  const isStopped = context.signal.aborted;
  if (stop !== undefined && added + refused + unknown === 0 && !isStopped) throw stop.error;
  if (added < checked.count) {
    const { client } = await delivery.connect();
    const honorsKeys = await client.honorsKeys().catch(() => undefined);
    throw describeRest(context, delivery, totals, honorsKeys);
  }
  if (outputError !== undefined) {
    const { message, cause } = outputError;
    throw new UserError('cli_output', message, { cause, outcome: 'applied' });
  }
  const earlier = replayed === 0 ? '' : `; already there: ${replayed.toLocaleString('en-US')}`;
  const pets = formatCount(added - replayed, 'pet');
  context.terminal.notice(
    `Added ${pets} to ${environment.name} in ${seconds.toFixed(1)} s${earlier}.`,
  );
}

function describeRest(
  context: Context,
  delivery: Delivery,
  totals: Totals,
  honorsKeys: boolean | undefined,
): UserError {
  const { added, unknown, stop, notAdded, outputError } = totals;
  const reason = stop && describeError(stop.error, context);
  const advice = adviseNext(context, delivery, totals, honorsKeys);
  const isAboutKey = reason?.exitCode === exitCodes.cli_key_rejected;
  const isStopped = context.signal.aborted;
  return new UserError(
    chooseCode(context, totals, reason?.exitCode),
    describeCounts(context, delivery, totals),
    {
      details: [
        ...notAdded.map(describeRow),
        ...(stop && !isStopped ? [`stopped at line ${stop.line}: ${reason?.message}`] : []),
        ...(outputError ? [outputError.message] : []),
        ...advice.details,
      ],
      try: [...(isAboutKey ? reason.try : []), ...advice.try],
      outcome: unknown > 0 ? 'unknown' : added > 0 ? 'applied' : 'not_applied',
      cause: stop?.error,
    },
  );
}

function describeCounts(
  { signal }: Context,
  { checked, environment }: Delivery,
  { added, refused, unknown, isResumed }: Totals,
): string {
  const isWhole = added + refused + unknown === checked.count;
  const text = [
    signal.aborted ? 'stopped: ' : '',
    // Earlier runs may have come further.
    isResumed && !isWhole ? 'at least ' : '',
    `${added.toLocaleString('en-US')} of ${formatCount(checked.count, 'pet')} added to ${environment.name}`,
    refused > 0 ? `, ${refused.toLocaleString('en-US')} refused` : '',
    unknown > 0 ? `, ${unknown.toLocaleString('en-US')} with unknown outcome` : '',
  ].join('');
  return `${text}.`.replace(/^./, (letter) => letter.toUpperCase());
}

/** What a stop can end with before anything is added; all others are about one pet. */
const stopCodes = [
  'cli_key_rejected',
  'cli_not_found',
  'cli_unexpected_response',
  'cli_unreachable',
] as const;

function chooseCode({ signal }: Context, { added, unknown }: Totals, stopExitCode?: number) {
  // The exit code says by which signal.
  if (signal.aborted) return 'cli_interrupted';
  if (unknown > 0) return 'cli_outcome_unknown';
  if (added > 0) return 'cli_incomplete';
  return stopCodes.find((code) => exitCodes[code] === stopExitCode) ?? 'cli_rejected';
}

function describeRow({ row, outcome }: RowResult): string {
  const reason = 'reason' in outcome ? outcome.reason : '';
  return `line ${row.line}: ${reason}`;
}

/** The line that goes on without adding a pet twice, or where none does the one that shows what is there. */
function adviseNext(
  context: Context,
  { name, environment, options }: Delivery,
  { stop, unknown, isRecorded, outputError }: Totals,
  honorsKeys: boolean | undefined,
) {
  const end = ['--env', environment.name, ...listTypedOptions(context.options)];
  const line = (...words: string[]) => ['petstore', ...words, ...end];
  const isFinished = stop === undefined && !context.signal.aborted;
  const { rejects } = options;
  if (isFinished && unknown === 0 && rejects !== undefined && outputError === undefined) {
    return {
      details: [`correct the rows in ${rejects}, then import that file`],
      try: [line('import', rejects)],
    };
  }
  if (honorsKeys === false || (honorsKeys === undefined && !isRecorded)) {
    const details = ['the same line cannot go on safely: look at what is there'];
    return { details, try: [line('list', '--newest')] };
  }
  // A record keeps the next run from sending blindly, whatever the service turns out to do.
  const goesOn = honorsKeys ? 'goes on' : 'goes on if that is safe';
  const details = [
    isFinished
      ? '--rejects collects the rows that were refused, to be corrected and imported'
      : `the same line ${goesOn}; no pet is added twice`,
  ];
  if (name === 'stdin') return { details, try: [] };
  // Without --again: an import that has a record goes on under the keys it has.
  const typedFormat = options.format === undefined ? [] : ['--format', options.format];
  const named = isFinished ? `${path.parse(name).name}-rejects.csv` : rejects;
  const file = named === undefined ? [] : ['--rejects', named];
  return { details, try: [line('import', name, ...typedFormat, ...file)] };
}

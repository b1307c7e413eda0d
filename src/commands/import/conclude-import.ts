import path from 'node:path';
import { exitCodes, UserError } from '../../errors.ts';
import type { RowResult } from '../../import/send-rows.ts';
import type { Context } from '../../program/context.ts';
import { describeError } from '../../program/describe-error.ts';
import { listTypedOptions } from '../../program/repeat-line.ts';
import { formatCommandLine } from '../../terminal/command-line.ts';
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
  const { added, replayed, unknown, stop, seconds, outputError } = totals;
  const isStopped = context.signal.aborted;
  if (stop !== undefined && added + unknown === 0 && !isStopped) throw stop.error;
  if (added < checked.count) {
    const { client } = await delivery.connect();
    const isSafe = totals.isRepeatable && (await client.honorsKeys().catch(() => true));
    throw describeRest(context, delivery, totals, isSafe);
  }
  if (outputError !== undefined) {
    const { message, cause } = outputError;
    throw new UserError('cli_output', message, { cause, outcome: 'applied' });
  }
  const before = replayed === 0 ? '' : ` (${replayed.toLocaleString('en-US')} of them before)`;
  const pets = formatCount(added, 'pet');
  context.terminal.notice(
    `Added ${pets} to ${environment.name} in ${seconds.toFixed(1)} s${before}.`,
  );
}

function describeRest(
  context: Context,
  delivery: Delivery,
  totals: Totals,
  honorsKeys: boolean,
): UserError {
  const { added, unknown, stop, notAdded } = totals;
  const reason = stop && describeError(stop.error, context);
  const advice = adviseNext(context, delivery, totals, honorsKeys);
  const isAboutKey = reason?.exitCode === exitCodes.cli_key_rejected;
  return new UserError(chooseCode(context, totals), describeCounts(context, delivery, totals), {
    details: [
      ...notAdded.map(describeRow),
      ...(stop === undefined ? [] : [`stopped at line ${stop.line}: ${reason?.message}`]),
      ...advice.details,
    ],
    try: [...(isAboutKey ? reason.try : []), ...advice.try],
    outcome: unknown > 0 ? 'unknown' : added > 0 ? 'applied' : 'not_applied',
    cause: stop?.error,
  });
}

function describeCounts(
  { signal }: Context,
  { checked, environment }: Delivery,
  { added, refused, unknown, isResumed }: Totals,
): string {
  const pets = `${added.toLocaleString('en-US')} of ${formatCount(checked.count, 'pet')}`;
  const isWhole = added + refused + unknown === checked.count;
  const others = [
    ...(refused > 0 ? [`, ${refused.toLocaleString('en-US')} refused`] : []),
    ...(unknown > 0 ? [`, ${unknown.toLocaleString('en-US')} with unknown outcome`] : []),
  ].join('');
  const text =
    isResumed && !isWhole
      ? `this run came to ${pets} in ${environment.name}${others}.`
      : `${pets} added to ${environment.name}${others}.`;
  const start = signal.aborted ? 'stopped: ' : '';
  return `${start}${text}`.replace(/^./, (letter) => letter.toUpperCase());
}

function chooseCode({ signal }: Context, { added, unknown }: Totals) {
  // The exit code says by which signal.
  if (signal.aborted) return 'cli_interrupted';
  if (unknown > 0) return 'cli_outcome_unknown';
  return added > 0 ? 'cli_incomplete' : 'cli_rejected';
}

function describeRow({ row, outcome }: RowResult): string {
  const reason = 'reason' in outcome ? outcome.reason : '';
  return `line ${row.line}: ${reason}`;
}

/** The line that goes on without adding a pet twice, or where none does the one that shows what is there. */
function adviseNext(
  context: Context,
  { name, environment, options }: Delivery,
  { stop, unknown }: Totals,
  honorsKeys: boolean,
) {
  const end = ['--env', environment.name, ...listTypedOptions(context.options)];
  const format = (...words: string[]) => formatCommandLine(['petstore', ...words, ...end]);
  const isFinished = stop === undefined && !context.signal.aborted;
  const { rejects } = options;
  if (isFinished && unknown === 0 && rejects !== undefined) {
    return {
      details: [`correct the rows in ${rejects}, then import that file`],
      try: [format('import', rejects)],
    };
  }
  if (!honorsKeys) {
    const details = ['running the same line again could add pets twice; look at what is there'];
    return { details, try: [format('list', '--newest')] };
  }
  if (name === 'stdin') {
    return {
      details: ['the same line with the same input goes on; no pet is added twice'],
      try: [],
    };
  }
  // Without --again: an import that has a record goes on under the keys it has.
  const format_ = options.format === undefined ? [] : ['--format', options.format];
  const file = isFinished
    ? ['--rejects', `${path.parse(name).name}-rejects.csv`]
    : rejects === undefined
      ? []
      : ['--rejects', rejects];
  const details = isFinished ? [] : ['the same line goes on; no pet is added twice'];
  return { details, try: [format('import', name, ...format_, ...file)] };
}

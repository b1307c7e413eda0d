import { RequestError } from '../../client/failure.ts';
import { exitCodes, UserError } from '../../errors.ts';
import type { RowOutcome } from '../../import/send-rows.ts';
import type { Context } from '../../program/context.ts';
import { describeError } from '../../program/describe-error.ts';
import { listTypedOptions } from '../../program/next-lines.ts';
import { formatCount, formatNumber } from '../../terminal/counts.ts';
import { isUnknown } from './add-row.ts';
import type { Delivery, Progress } from './delivery.ts';
import { describeIds } from './results.ts';

/** How many rows that were not added an error names. */
const MAX_NAMED = 10;

interface Counts {
  /** In this run. */
  readonly added: number;
  /** In before it. */
  readonly before: number;
  readonly refused: number;
  readonly unknown: number;
}

/** How a run ended beside what became of its rows. */
export interface Ending {
  readonly seconds: number;
  /** Why results, or rows that were refused, could not be written, when they could not. */
  readonly outputError: UserError | undefined;
  /** Whether the service honors idempotency keys. */
  readonly honorsKeys: boolean;
}

/** Says on a terminal that all pets are there. @throws UserError with how far the import came, or what ended it. */
export function concludeImport(
  context: Context,
  delivery: Delivery,
  progress: Progress,
  ending: Ending,
): void {
  const { terminal, signal } = context;
  const { rows, environment } = delivery;
  const { outcomes, stop } = progress;
  const counts = countOutcomes(outcomes);
  const { added, before, refused, unknown } = counts;
  const isWhole = added + before === rows.length;
  if (progress.found > 0) warnFound(context, delivery, progress);
  if (stop !== undefined && added + refused + unknown === 0 && !signal.aborted) throw stop.error;
  if (!isWhole) throw describeRest(context, delivery, progress, counts, ending);
  if (ending.outputError !== undefined) {
    const { message, cause } = ending.outputError;
    throw new UserError('cli_output', message, { cause, outcome: 'applied' });
  }
  if (progress.found === rows.length) return;
  const earlier = before === 0 ? '' : `; already there: ${formatNumber(before)}`;
  terminal.notice(
    `Added ${formatCount(added, 'pet')} to ${environment.name} in ${ending.seconds.toFixed(1)} s${describeIds(outcomes)}${earlier}.`,
  );
}

/** Nothing said so before they were sent: the service recognized their keys. */
function warnFound(
  { terminal }: Context,
  { rows, name, environment }: Delivery,
  { found, outcomes }: Progress,
): void {
  const [verb, they] = found === 1 ? ['was', 'It'] : ['were', 'They'];
  const place = `of ${name} ${verb} in ${environment.name} already`;
  const count = formatNumber(found);
  const [what, cure] =
    found === rows.length
      ? [
          `All ${formatCount(found, 'pet')} ${place}; none was added.`,
          '--again adds all of it a second time.',
        ]
      : [
          `${count} of ${formatCount(rows.length, 'row')} ${place}.`,
          'A row that is another pet is added by petstore add.',
        ];
  const isFound = (outcome?: RowOutcome) => outcome?.kind === 'added' && outcome.isReplayed;
  const above = outcomes.slice(0, outcomes.findLastIndex(isFound));
  const forgotten = above.some((outcome) => outcome?.kind === 'added' && !outcome.isReplayed)
    ? ' Rows above them were added now; the service may have forgotten them: look whether they are there twice.'
    : '';
  const origin = `${they} came from another computer, or from an import whose record is lost.`;
  const message = `${what} ${origin} ${cure}${forgotten}`;
  terminal.warn('cli_already_imported', message);
}

function countOutcomes(outcomes: Progress['outcomes']): Counts {
  const counts = { added: 0, before: 0, refused: 0, unknown: 0 };
  for (const outcome of outcomes) {
    if (isUnknown(outcome)) counts.unknown += 1;
    else if (outcome?.kind === 'added') counts[outcome.isReplayed ? 'before' : 'added'] += 1;
    else if (outcome?.kind === 'before' || outcome?.kind === 'refused') counts[outcome.kind] += 1;
  }
  return counts;
}

function describeRest(
  context: Context,
  delivery: Delivery,
  { outcomes, stop, isRecorded }: Progress,
  counts: Counts,
  { honorsKeys, outputError }: Ending,
): UserError {
  const isStopped = context.signal.aborted;
  const reason = stop && describeError(stop.error, context);
  const isAboutKey = reason?.exitCode === exitCodes.cli_key_rejected;
  const isSafe = honorsKeys || isRecorded;
  const next = adviseNext(context, delivery, isSafe, stop === undefined);
  return new UserError(
    chooseCode(context, counts, reason?.exitCode),
    describeCounts(context, delivery, counts),
    {
      details: [
        ...listNotAdded(delivery, outcomes),
        ...(stop && !isStopped ? [`stopped at line ${stop.line}: ${reason?.message}`] : []),
        ...(outputError ? [outputError.message] : []),
        ...next.details,
      ],
      try: [...(isAboutKey ? reason.try : []), ...next.try],
      outcome: counts.unknown > 0 ? 'unknown' : counts.added > 0 ? 'applied' : 'not_applied',
      retryable: isSafe && (isStopped || isPassing(stop?.error)),
      cause: stop?.error,
    },
  );
}

/** Whether the same line may come further in a moment. */
function isPassing(error: unknown): boolean {
  return error instanceof RequestError && (error.isTransient || (error.status ?? 0) >= 500);
}

function describeCounts(
  { signal }: Context,
  { rows, environment }: Delivery,
  { added, before, refused, unknown }: Counts,
): string {
  const parts = [
    `${formatNumber(added)} of ${formatCount(rows.length, 'pet')} added to ${environment.name}`,
    ...(before > 0 ? [`${formatNumber(before)} already there`] : []),
    ...(refused > 0 ? [`${formatNumber(refused)} refused`] : []),
    ...(unknown > 0 ? [`${formatNumber(unknown)} with unknown outcome`] : []),
  ];
  return `${signal.aborted ? 'Stopped: ' : ''}${parts.join(', ')}.`;
}

function listNotAdded({ rows }: Delivery, outcomes: Progress['outcomes']): string[] {
  const lines = rows.flatMap(({ line }, index) => {
    const outcome = outcomes[index];
    return outcome && 'reason' in outcome ? [`line ${line}: ${outcome.reason}`] : [];
  });
  const more = lines.length - MAX_NAMED;
  return more > 0 ? [...lines.slice(0, MAX_NAMED), `and ${formatNumber(more)} more`] : lines;
}

/** What a stop can end with before anything is added; all others are about one pet. */
const stopCodes = [
  'cli_key_rejected',
  'cli_not_found',
  'cli_unexpected_response',
  'cli_unreachable',
] as const;

function chooseCode(
  { signal }: Context,
  { added, before, unknown }: Counts,
  stopExitCode?: number,
) {
  // The exit code says by which signal.
  if (signal.aborted) return 'cli_interrupted';
  if (unknown > 0) return 'cli_outcome_unknown';
  if (added + before > 0) return 'cli_incomplete';
  return stopCodes.find((code) => exitCodes[code] === stopExitCode) ?? 'cli_rejected';
}

/** The line that goes on without adding a pet twice, or where none does the one that shows what is there. */
function adviseNext(
  context: Context,
  { name, baseName, environment, options }: Delivery,
  isSafe: boolean,
  isFinished: boolean,
) {
  const end = ['--env', environment.name, ...listTypedOptions(context.options)];
  if (!isSafe) {
    const details = ['the same line cannot go on safely: look at what is there'];
    return { details, try: [['petstore', 'list', '--newest', ...end]] };
  }
  const details = [
    isFinished
      ? 'correct the rows in the file and import it again with --new'
      : 'the same line goes on; no pet is added twice',
  ];
  if (baseName === '') return { details, try: [] };
  const typed = [
    ...(options.format === undefined ? [] : ['--format', options.format]),
    ...(options.rejects === undefined ? [] : ['--rejects', options.rejects]),
    // An import that is not finished goes on under the keys it has, without --again.
    ...(isFinished || options.new ? ['--new'] : []),
  ];
  const file = name.startsWith('-') ? `./${name}` : name;
  return { details, try: [['petstore', 'import', file, ...typed, ...end]] };
}

import { UserError } from '../../errors.ts';
import type { ImportRecord } from '../../import/import-record.ts';
import { confirmWrite } from '../../program/confirm-write.ts';
import type { Context } from '../../program/context.ts';
import { formatRelativeTime } from '../../terminal/relative-time.ts';
import { formatTable } from '../../terminal/table.ts';
import type { Delivery } from './delivery.ts';
import { formatAlike, formatCount } from './format-count.ts';
import type { RecordedRun } from './record-run.ts';
import { petColumns } from './rows.ts';

/** Shows the first rows and asks on a terminal; elsewhere a protected environment needs `--confirm`. */
export async function confirmImport(context: Context, delivery: Delivery): Promise<void> {
  const { terminal, options, prompts } = context;
  const { environment, checked } = delivery;
  const action = `Add ${formatCount(checked.count, 'pet')}`;
  const isAsked = terminal.isInteractive && options.confirm === undefined;
  if (isAsked) terminal.writeError(describeRows(context, delivery));
  if (!isAsked || environment.isProtected) return await confirmWrite(context, environment, action);
  const question = `${action} to ${environment.name} (${environment.baseUrl.host})?`;
  if (!(await prompts.askConfirm(question, true))) throw declined();
}

function declined(): UserError {
  return new UserError('cli_declined', 'Stopped; nothing was sent.');
}

/** What somebody should see before a file is added. */
function describeRows({ terminal }: Context, { file, checked }: Delivery): string {
  const { first, count, alike, hasIds } = checked;
  const lines = [
    ...(count > first.length ? [`and ${(count - first.length).toLocaleString('en-US')} more`] : []),
    ...(alike > 0 ? [formatAlike(alike)] : []),
    ...(file.encoding === 'Windows-1252'
      ? ['The file is not UTF-8 and was read as Windows-1252: check the letters above.']
      : []),
    ...(hasIds ? ['The ids in the file are not used: all rows become new pets.'] : []),
  ];
  return (
    formatTable(petColumns, first, terminal.stderr) + lines.map((line) => `${line}\n`).join('')
  );
}

/** `2 hours ago (2,997 of 3,000 pets added)` */
export function describeEarlier({ started, result, rows }: ImportRecord): string {
  const time = formatRelativeTime(new Date(started), new Date());
  if (result === undefined) return time;
  return `${time} (${result.added.toLocaleString('en-US')} of ${formatCount(rows, 'pet')} added)`;
}

/** @throws UserError unless somebody says that this is not a corrected copy of an earlier file. */
export async function askWhetherCorrected(
  context: Context,
  delivery: Delivery,
  record: ImportRecord,
): Promise<void> {
  const { terminal, prompts } = context;
  const { name, checked } = delivery;
  const message = `Another ${name} was imported ${describeEarlier(record)}.`;
  if (!terminal.isInteractive) {
    throw refuse(
      delivery,
      message,
      'If this is the same delivery, corrected, import only the rows that were refused: --rejects collects them.',
    );
  }
  terminal.notice(`${message} If this is the same delivery, corrected, its pets are added twice.`);
  const action = `Add all ${formatCount(checked.count, 'pet')} of this file?`;
  if (!(await prompts.askConfirm(action, false))) throw declined();
}

/**
 * The first row was added before, but not from here. Returns whether all rows are wanted once more, or only those that are
 * missing. @throws UserError where nobody says it; the import is not recorded then.
 */
export async function chooseAgain(
  context: Context,
  delivery: Delivery,
  run: RecordedRun,
): Promise<'missing' | 'again'> {
  const message = 'These pets were added from another computer.';
  try {
    if (!context.terminal.isInteractive) throw refuse(delivery, message);
    const choice = await context.prompts.askChoice(message, againChoices);
    if (choice === 'stop') throw declined();
    await (choice === 'again' ? run.addAgain() : run.addMissing());
    return choice;
  } catch (error) {
    await run.cancel();
    throw error;
  }
}

const againChoices = [
  { name: 'Stop', value: 'stop' },
  { name: 'Add only what is missing', value: 'missing' },
  { name: 'Add all of it again, for another delivery', value: 'again' },
] as const;

/** An import that was not finished and cannot go on safely. */
export function refuseAgain(delivery: Delivery, record: ImportRecord): UserError {
  const message = `An import of ${delivery.name} was started ${describeEarlier(record)}, and cannot go on safely.`;
  return refuse(delivery, message, 'The service may no longer recognize rows that it has added.');
}

export function refuseIds(delivery: Delivery): UserError {
  return refuse(
    delivery,
    `${delivery.name} gives its pets ids, which would not be used: all rows would become new pets.`,
  );
}

/** Look first; what adds pets twice is said, not offered. */
function refuse({ environment }: Delivery, message: string, ...details: string[]): UserError {
  return new UserError('cli_import_again', message, {
    details: [...details, 'To add every row of the file, run the same line with --again.'],
    try: [`petstore list --newest --env ${environment.name}`],
  });
}

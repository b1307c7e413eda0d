import { UserError } from '../../errors.ts';
import type { ImportRecord } from '../../import/import-record.ts';
import { confirmWrite } from '../../program/confirm.ts';
import type { Context } from '../../program/context.ts';
import { formatRelativeTime } from '../../terminal/relative-time.ts';
import { formatTable } from '../../terminal/table.ts';
import type { Delivery } from './delivery.ts';
import { formatAlike, formatCount } from './format-count.ts';
import type { ActivePlan } from './record-run.ts';
import { petColumns } from './rows.ts';

/**
 * Shows the first rows and asks on a terminal; elsewhere a protected environment needs `--confirm`, and what may be a
 * mistake is refused.
 */
export async function confirmImport(
  context: Context,
  delivery: Delivery,
  plan: ActivePlan,
): Promise<void> {
  const { terminal, options, prompts } = context;
  const { environment, checked, name } = delivery;
  const isAsked = terminal.isInteractive && options.confirm === undefined;
  const corrects = plan.kind === 'start' ? plan.corrects : undefined;
  const action = `Add ${formatCount(checked.count, 'pet')}`;
  if (!isAsked) {
    if (corrects !== undefined) throw refuseCorrected(delivery, corrects);
    if (checked.hasIds && plan.kind === 'start' && plan.nonce === undefined)
      throw refuse(delivery, `The ids in ${name} are not used: every row would become a new pet.`);
    return await confirmWrite(context, environment, action);
  }
  const notes = listNotes(delivery).map((note) => `${note}\n`);
  terminal.writeError(formatTable(petColumns, checked.first, terminal.stderr) + notes.join(''));
  if (corrects !== undefined)
    terminal.notice(`${describeEarlier(`${name} with other rows`, corrects)}. ${whenCorrected}`);
  const question = `${action} to ${environment.name} (${environment.baseUrl.host})?`;
  if (!(await prompts.askConfirm(question, corrects === undefined))) throw declined();
}

function declined(): UserError {
  return new UserError('cli_declined', 'Stopped; nothing was sent.');
}

/** What somebody should know of a file before it is added. */
export function listNotes({ file, checked }: Delivery): string[] {
  const { first, count, alike, hasIds } = checked;
  return [
    ...(count > first.length ? [`and ${(count - first.length).toLocaleString('en-US')} more`] : []),
    ...(alike > 0 ? [formatAlike(alike)] : []),
    ...(file.encoding === 'Windows-1252'
      ? ['The file is not UTF-8 and was read as Windows-1252: check the letters above.']
      : []),
    ...(hasIds ? ['The ids in the file are not used: every row becomes a new pet.'] : []),
  ];
}

/** `pets.csv was imported 2 hours ago (3 of 3 pets added)` */
export function describeEarlier(name: string, { started, result, rows }: ImportRecord): string {
  const time = formatRelativeTime(new Date(started), new Date());
  const added = result?.added.toLocaleString('en-US');
  const counts = added === undefined ? '' : ` (${added} of ${formatCount(rows, 'pet')} added)`;
  return result?.isFinished
    ? `${name} was imported ${time}${counts}`
    : `An import of ${name} was started ${time} and did not finish${counts}`;
}

const whenCorrected =
  'If this is the same delivery, corrected, its pets would be added twice: put only the corrected rows in another file, and import that.';

function refuseCorrected(delivery: Delivery, corrects: ImportRecord): UserError {
  return refuse(
    delivery,
    `${describeEarlier(`${delivery.name} with other rows`, corrects)}.`,
    whenCorrected,
  );
}

/**
 * Asks whether pets that were added before, but not by an import that is recorded here, are wanted once more.
 * @throws UserError where nobody says so.
 */
export async function confirmAgain(context: Context, delivery: Delivery): Promise<void> {
  const message = 'These pets were already added; this computer has no record of it.';
  if (!context.terminal.isInteractive) throw refuse(delivery, message);
  context.terminal.notice(message);
  const pets = formatCount(delivery.checked.count, 'pet');
  if (await context.prompts.askConfirm(`Add ${pets} again, as another delivery?`, false)) return;
  throw declined();
}

/** An import that was not finished, or had rows refused, and whose rows the service may not recognize. */
export function refuseUnsafe(delivery: Delivery, record: ImportRecord): UserError {
  return refuse(
    delivery,
    `${describeEarlier(delivery.name, record)}.`,
    'It cannot be continued: the service may no longer recognize the rows that it has added.',
  );
}

/** Look first; what adds pets twice is said, not offered. */
function refuse({ environment }: Delivery, message: string, ...details: string[]): UserError {
  return new UserError('cli_import_again', message, {
    details: [...details, 'To add every row of the file anyway, run the same line with --again.'],
    try: [['petstore', 'list', '--newest', '--env', environment.name]],
  });
}

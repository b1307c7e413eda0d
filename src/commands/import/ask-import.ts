import { type CommandLine, UserError } from '../../errors.ts';
import { countAlike } from '../../import/hash-row.ts';
import type { ImportRecord } from '../../import/import-record.ts';
import type { ImportPlan } from '../../import/plan-import.ts';
import type { PetRow } from '../../import/row.ts';
import { confirmWrite, formatPlace } from '../../program/confirm.ts';
import type { Context } from '../../program/context.ts';
import { formatCount, formatNumber } from '../../terminal/counts.ts';
import { formatRelativeTime } from '../../terminal/relative-time.ts';
import { formatTable } from '../../terminal/table.ts';
import type { Screen } from '../../terminal/terminal.ts';
import type { Delivery } from './delivery.ts';
import { listPetColumns } from './results.ts';

type PlanOf<Kind extends ImportPlan['kind']> = Extract<ImportPlan, { kind: Kind }>;

/** How many rows at the start and at the end of a file are shown: below a table there may be a total. */
const FIRST_ROWS = 5;
const LAST_ROWS = 2;

/** Shows rows and asks on a terminal; elsewhere a protected environment needs `--confirm`, and ids are refused. */
export async function confirmImport(
  context: Context,
  delivery: Delivery,
  plan: PlanOf<'send'> | PlanOf<'finish'>,
  wanted: 'new' | 'again' | undefined,
): Promise<void> {
  const { terminal, options, prompts } = context;
  const { environment, name, rows } = delivery;
  const { isIn } = plan.kind === 'send' ? plan : { isIn: [] };
  const sent = rows.filter((_, index) => !isIn[index]);
  const action = `Add ${formatCount(sent.length, 'pet')}`;
  const goesOn = plan.kind === 'finish' || plan.own !== undefined || wanted === 'again';
  const isAsked = terminal.isInteractive && options.confirm === undefined;
  if (!isAsked && delivery.hasIds && !goesOn)
    throw new UserError('cli_import_again', idsNote(name), { details: [againNote] });
  if (!isAsked) return await confirmWrite(context, environment, action);
  terminal.writeError(formatRows(sent, delivery.categoryNames, terminal.stderr));
  const { warnings, notes } = listNotes(delivery);
  for (const note of [...notes, ...warnings]) terminal.notice(note);
  const known = rows.length - sent.length;
  if (known > 0)
    terminal.notice(
      `${formatCount(known, 'row')} of ${name} ${known === 1 ? 'is' : 'are'} in already and not sent.`,
    );
  const question = `${action} to ${formatPlace(environment)}?`;
  if (!(await prompts.askConfirm(question, warnings.length === 0))) throw declined();
}

function declined(): UserError {
  return new UserError('cli_declined', 'Stopped; nothing was sent.');
}

/** A table of the first and the last rows. */
export function formatRows(
  rows: readonly PetRow[],
  names: ReadonlyMap<bigint, string>,
  screen: Screen,
): string {
  const isShort = rows.length <= FIRST_ROWS + LAST_ROWS + 1;
  const shown = isShort
    ? rows
    : [...rows.slice(0, FIRST_ROWS), undefined, ...rows.slice(-LAST_ROWS)];
  const columns = listPetColumns<PetRow | undefined>((row) => row?.pet, names);
  return formatTable(columns, shown, screen);
}

const idsNote = (name: string) =>
  `The ids in ${name} are not used: every row would become a new pet.`;
const againNote = 'To add every row of the file anyway, run the same line with --again.';

/** What somebody should know of a file before it is added; a warning makes no the default. */
export function listNotes({ name, otherColumns, warnings, hashes, hasIds }: Delivery) {
  const alike = countAlike(hashes);
  return {
    notes:
      otherColumns.length > 0 ? [`Not of a pet, and read past: ${otherColumns.join(', ')}.`] : [],
    warnings: [
      ...warnings,
      ...(alike > 0
        ? [
            `${formatCount(alike, 'row')} ${alike === 1 ? 'has' : 'have'} the name and category of an earlier row.`,
          ]
        : []),
      ...(hasIds ? [idsNote(name)] : []),
    ],
  };
}

/** `pets.csv was imported 2 hours ago (3 of 3 pets are in)` */
export function describeEarlier({ name, started, states }: ImportRecord): string {
  const time = formatRelativeTime(new Date(started), new Date());
  const isIn = states.length - states.replaceAll('i', '').length;
  const counts = `${formatNumber(isIn)} of ${formatCount(states.length, 'pet')} ${isIn === 1 ? 'is' : 'are'} in`;
  const file = name === '' ? 'stdin' : name;
  return /[su]/.test(states)
    ? `An import of ${file} was started ${time} and did not finish`
    : `${file} was imported ${time} (${counts})`;
}

/** A copy with rows added, corrected or removed: what of it is wanted. */
export async function askCopy(
  context: Context,
  delivery: Delivery,
  { record, isIn }: PlanOf<'copy'>,
): Promise<'new' | 'again'> {
  const { name, rows } = delivery;
  const known = isIn.filter(Boolean).length;
  const message = `${describeEarlier(record)}; ${formatNumber(known)} of the ${formatCount(rows.length, 'row')} of ${name} ${known === 1 ? 'is' : 'are'} in already.`;
  requireAsking(context, message, [repeatNew(context)], changedNote, againNote);
  context.terminal.notice(changedNote);
  const left = rows.length - known;
  const stop = { name: 'none: stop', value: 'stop' as const };
  const all = {
    name: `all ${formatNumber(rows.length)} of them, a second time`,
    value: 'again' as const,
  };
  const choices =
    left > 0
      ? [{ name: `only the ${formatCount(left, 'new row')}`, value: 'new' as const }, all, stop]
      : [stop, all];
  const choice = await context.prompts.askChoice('Which rows?', choices);
  if (choice === 'stop') throw declined();
  return choice;
}

const changedNote = 'A row that was changed is a new pet; the one that was added before stays.';

/** The line that was typed, for the new rows alone. */
function repeatNew({ argv }: Context): CommandLine {
  const end = argv.indexOf('--');
  return ['petstore', ...argv.toSpliced(end === -1 ? argv.length : end, 0, '--new')];
}

/** The first import of a name has nothing to compare with. */
export async function confirmFirst(context: Context, { name }: Delivery): Promise<void> {
  const line = ['petstore', ...context.argv.filter((word) => word !== '--new')];
  const message = `No import of ${name} is recorded on this computer: all its rows would be new.`;
  requireAsking(context, message, [line]);
  await confirmDoubt(context, 'Add all of them?');
}

/** An import of a file of this name was killed, and shares rows with this one. */
export async function confirmFinish(
  context: Context,
  { name }: Delivery,
  { record, pairs }: PlanOf<'finish'>,
): Promise<void> {
  const rows = `${formatCount(pairs.length, 'row')} of it ${pairs.length === 1 ? 'stands' : 'stand'}`;
  const message = `${describeEarlier(record)}; ${rows} in ${name}.`;
  requireAsking(context, message, [repeatNew(context)], againNote);
  await confirmDoubt(context, 'Finish it first, then add the new rows?');
}

/** The rows whose outcome nobody knows, and the service no longer: returns their state. */
export async function askUnsure(
  context: Context,
  delivery: Delivery,
  { record, rows: { length } }: PlanOf<'unsure'>,
): Promise<'i' | 'n'> {
  const count = formatCount(length, 'row');
  const message = `${describeEarlier(record)}; whether ${count} of it ${length === 1 ? 'was' : 'were'} added is unknown, and the service no longer knows.`;
  const look = lookLine(delivery);
  requireAsking(context, message, [look], 'At a terminal the same line asks what was added.');
  context.terminal.notice(`Look first: ${look.join(' ')}`);
  const question = `Were ${length === 1 ? 'this row' : `these ${count}`} added?`;
  const choice = await context.prompts.askChoice(question, [
    { name: 'all', value: 'i' as const },
    { name: 'none', value: 'n' as const },
    { name: 'stop', value: undefined },
  ]);
  if (choice === undefined) throw declined();
  return choice;
}

/** The service has the first row from elsewhere, and will not know the others for long. */
export async function confirmReplayed(context: Context, delivery: Delivery): Promise<void> {
  const message = `The first pet of ${delivery.name} was already added, and this computer has no record of it; the service does not say that it will know the others for another hour.`;
  requireAsking(context, message, [lookLine(delivery)], againNote);
  await confirmDoubt(context, 'Go on? What it has forgotten is added a second time.');
}

/** The line that shows what is there. */
function lookLine({ environment }: Delivery): CommandLine {
  return ['petstore', 'list', '--newest', '--env', environment.name];
}

/** Says on a terminal what a question is about. @throws UserError where nobody can be asked, with the lines that decide. */
function requireAsking(
  { terminal }: Context,
  message: string,
  lines: readonly CommandLine[],
  ...details: string[]
): void {
  if (!terminal.isInteractive)
    throw new UserError('cli_import_again', message, { details, try: lines });
  terminal.notice(message);
}

/** Asks with no as the default. @throws UserError `cli_declined`. */
async function confirmDoubt({ prompts }: Context, question: string): Promise<void> {
  if (!(await prompts.askConfirm(question, false))) throw declined();
}

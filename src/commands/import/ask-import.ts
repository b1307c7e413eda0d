import { type CommandLine, UserError } from '../../errors.ts';
import { countAlike } from '../../import/hash-row.ts';
import type { ImportRecord } from '../../import/import-record.ts';
import type { ImportPlan } from '../../import/plan-import.ts';
import type { PetRow } from '../../import/row.ts';
import { confirmWrite } from '../../program/confirm.ts';
import type { Context } from '../../program/context.ts';
import { formatRelativeTime } from '../../terminal/relative-time.ts';
import { formatTable } from '../../terminal/table.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { type Delivery, formatCount } from './delivery.ts';
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
): Promise<void> {
  const { terminal, options, prompts } = context;
  const { environment, name, rows } = delivery;
  const { isIn } = plan.kind === 'send' ? plan : { isIn: [] };
  const sent = rows.filter((_, index) => !isIn[index]);
  const action = `Add ${formatCount(sent.length, 'pet')}`;
  const goesOn = plan.kind === 'finish' || plan.own !== undefined || plan.nonce !== undefined;
  const isAsked = terminal.isInteractive && options.confirm === undefined;
  if (!isAsked && delivery.hasIds && !goesOn) throw refuseImport([], idsNote(name), againNote);
  if (!isAsked) return await confirmWrite(context, environment, action);
  terminal.writeError(formatRows(sent, delivery.categoryNames, terminal.stderr));
  const { warnings, notes } = listNotes(delivery);
  for (const note of [...notes, ...warnings]) terminal.notice(note);
  const known = rows.length - sent.length;
  if (known > 0)
    terminal.notice(
      `${formatCount(known, 'row')} of ${name} ${known === 1 ? 'is' : 'are'} in already and not sent.`,
    );
  const also =
    environment.protectedAs === undefined ? '' : `, protected as ${environment.protectedAs}`;
  const question = `${action} to ${environment.name} (${environment.baseUrl.host}${also})?`;
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
export function listNotes({ name, encoding, otherColumns, warnings, hashes, hasIds }: Delivery) {
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
      ...(encoding === 'Windows-1252'
        ? [`${name} is not UTF-8 and was read as Windows-1252: check the letters.`]
        : []),
      ...(hasIds ? [idsNote(name)] : []),
    ],
  };
}

/** `pets.csv was imported 2 hours ago (3 of 3 pets are in)` */
export function describeEarlier({ name, started, states }: ImportRecord): string {
  const time = formatRelativeTime(new Date(started), new Date());
  const isIn = states.length - states.replaceAll('i', '').length;
  const counts = `${isIn.toLocaleString('en-US')} of ${formatCount(states.length, 'pet')} ${isIn === 1 ? 'is' : 'are'} in`;
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
  const { terminal, prompts } = context;
  const { name, rows } = delivery;
  const known = isIn.filter(Boolean).length;
  const message = `${describeEarlier(record)}; ${known.toLocaleString('en-US')} of the ${formatCount(rows.length, 'row')} of ${name} ${known === 1 ? 'is' : 'are'} in already.`;
  if (!terminal.isInteractive)
    throw refuseImport([repeatNew(context)], message, changedNote, againNote);
  terminal.notice(message);
  terminal.notice(changedNote);
  const left = rows.length - known;
  const stop = { name: 'none: stop', value: 'stop' as const };
  const all = { name: `all ${rows.length} of them, a second time`, value: 'again' as const };
  const choices =
    left > 0
      ? [{ name: `only the ${formatCount(left, 'new row')}`, value: 'new' as const }, all, stop]
      : [stop, all];
  const choice = await prompts.askChoice('Which rows?', choices);
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
export async function confirmFirst(context: Context, delivery: Delivery): Promise<void> {
  const { terminal, prompts, argv } = context;
  const message = `No import of ${delivery.name} is recorded on this computer: all its rows would be new.`;
  const line = ['petstore', ...argv.filter((word) => word !== '--new')];
  if (!terminal.isInteractive) throw refuseImport([line], message);
  terminal.notice(message);
  if (!(await prompts.askConfirm('Add all of them?', false))) throw declined();
}

/** An import of a file of this name was killed, and shares rows with this one. */
export async function confirmFinish(
  context: Context,
  delivery: Delivery,
  { record, pairs }: PlanOf<'finish'>,
): Promise<void> {
  const { terminal, prompts } = context;
  const message = `${describeEarlier(record)}; ${formatCount(pairs.length, 'row')} of it ${pairs.length === 1 ? 'stands' : 'stand'} in ${delivery.name}.`;
  if (!terminal.isInteractive) throw refuseImport([repeatNew(context)], message, againNote);
  terminal.notice(message);
  if (!(await prompts.askConfirm('Finish it first, then add the new rows?', false)))
    throw declined();
}

/** The rows whose outcome nobody knows, and the service no longer: returns their state. */
export async function askUnsure(
  context: Context,
  delivery: Delivery,
  { record, rows }: PlanOf<'unsure'>,
): Promise<'i' | 'n'> {
  const { terminal, prompts } = context;
  const count = formatCount(rows.length, 'row');
  const message = `${describeEarlier(record)}; whether ${count} of it ${rows.length === 1 ? 'was' : 'were'} added is unknown, and the service no longer knows.`;
  if (!terminal.isInteractive)
    throw refuseImport(
      [lookLine(delivery)],
      message,
      'At a terminal the same line asks what was added.',
    );
  terminal.notice(message);
  terminal.notice(`Look first: petstore list --newest --env ${delivery.environment.name}`);
  const choice = await prompts.askChoice(
    `Were ${rows.length === 1 ? 'this row' : `these ${count}`} added?`,
    [
      { name: 'stop', value: undefined },
      { name: 'all of them were', value: 'i' as const },
      { name: 'none of them was', value: 'n' as const },
    ],
  );
  if (choice === undefined) throw declined();
  return choice;
}

/** The service has the first row from elsewhere, and will not know the others for long. */
export async function confirmReplayed(context: Context, delivery: Delivery): Promise<void> {
  const { terminal, prompts } = context;
  const message = `The first pet of ${delivery.name} was already added, and this computer has no record of it; the service does not say that it will know the others for another hour.`;
  if (!terminal.isInteractive) throw refuseImport([lookLine(delivery)], message, againNote);
  terminal.notice(message);
  if (!(await prompts.askConfirm('Go on? What it has forgotten is added a second time.', false)))
    throw declined();
}

/** The line that shows what is there. */
function lookLine({ environment }: Delivery): CommandLine {
  return ['petstore', 'list', '--newest', '--env', environment.name];
}

function refuseImport(
  lines: readonly CommandLine[],
  message: string,
  ...details: string[]
): UserError {
  return new UserError('cli_import_again', message, { details, try: lines });
}

import { type Categories, formatCategory } from '../../config/categories.ts';
import type { Environment } from '../../config/environments.ts';
import type { NewPet } from '../../contract/pet.ts';
import { confirmWrite, formatPlace } from '../../program/confirm.ts';
import type { Context } from '../../program/context.ts';
import type { Checked } from '../../terminal/prompts.ts';
import { formatTable } from '../../terminal/table.ts';
import { fitWords } from '../../terminal/terminal.ts';
import { createPetColumns } from '../shared/pets.ts';
import { askKind } from './ask-pet.ts';
import { checkPet, type Draft } from './collect-pet.ts';
import { describePet } from './describe-pet.ts';
import { explainStop, nameNotAdded } from './explain-stop.ts';
import { dropUnknown, type Kind, type Reading, readLines } from './read-lines.ts';

export interface Sitting {
  readonly context: Context;
  readonly environment: Environment;
  readonly categories: Categories;
  /** False for `--dry-run`, which shows the first pets and ends. */
  readonly isWrite: boolean;
  add(pet: NewPet): Promise<void>;
}

/** What a sitting has come to. */
interface State {
  readonly given: Kind;
  readonly added: readonly NewPet[];
  /** Category and status of the next pet. */
  readonly kind: Kind;
}

const NO_NAME = 'Type the name of a pet, or press Ctrl-C to stop.';

/** Asks for pets and adds them, until Enter. What was typed is never lost. */
export async function addSitting(sitting: Sitting, given: Kind): Promise<void> {
  const { prompts, terminal } = sitting.context;
  terminal.notice('A pet that was added cannot be changed or removed.');
  let state: State | undefined = { given, added: [], kind: given };
  while (state !== undefined) {
    const { added, kind }: State = state;
    const check = (lines: readonly string[]): Checked<Reading | undefined> => {
      if (lines.join('').trim() === '')
        return added.length > 0 ? { value: undefined } : { problem: NO_NAME };
      const reading = readLines(lines, kind, sitting.categories);
      if (reading.problem === undefined) return { value: reading };
      const lost = lines.length > 1 ? ' None of these lines is used.' : '';
      return { problem: `${reading.problem}${lost}` };
    };
    const reading = await prompts
      .askLines(formatQuestion(state, sitting.categories), check)
      .catch((error) => stopSitting(error, sitting, added, []));
    if (reading === undefined) return;
    state = await addLines(sitting, state, reading);
  }
}

/** Adds the pets that the lines name. Undefined where nothing more is asked. */
async function addLines(
  sitting: Sitting,
  state: State,
  reading: Reading,
): Promise<State | undefined> {
  const { context, isWrite, add } = sitting;
  const { added } = state;
  const changed = { ...state, kind: reading.kind };
  const isOne = reading.lineCount === 1;
  const isMeant = !isOne || (await confirmName(sitting, added, reading));
  if (reading.pets.length === 0 || !isMeant) return changed;
  const pets = await completePets(sitting, added, reading);
  const [{ categoryId, status } = reading.kind] = pets;
  const next = { ...changed, kind: { categoryId, status, ...dropUnknown(reading.kind) } };
  const confirmed = isOne
    ? confirmOne(sitting, added, pets)
    : confirmSeveral(sitting, added, pets, reading.doubts);
  const isWanted = await confirmed.catch((error) => stopSitting(error, sitting, added, pets));
  if (!isWanted) return next;
  for (const [index, pet] of pets.entries()) {
    await add(pet).catch((error) => {
      nameNotAdded(context, pets.slice(index + 1));
      throw error;
    });
  }
  return isWrite ? { ...next, added: [...added, ...pets] } : undefined;
}

/** A word that means something else is asked about before it becomes a pet. */
async function confirmName(
  sitting: Sitting,
  added: readonly NewPet[],
  { pets: [pet], doubts }: Reading,
): Promise<boolean> {
  if (pet === undefined || doubts.length === 0) return true;
  const question = `Add a pet called ${JSON.stringify(pet.name)}?`;
  return await sitting.context.prompts
    .askConfirm(question, false)
    // Whoever leaves here does not mean it: no line is offered that adds it.
    .catch((error) => stopSitting(error, sitting, added, []));
}

/** Asks for the category and the status that no line says. */
async function completePets(
  sitting: Sitting,
  added: readonly NewPet[],
  { pets, kind }: Reading,
): Promise<NewPet[]> {
  const { context, categories } = sitting;
  let draft: Draft = { ...kind, ...pets[0] };
  const complete = await askKind(context.prompts, categories, draft, (asked) => {
    draft = asked;
  }).catch((error) => stopSitting(error, sitting, added, [draft, ...pets.slice(1)]));
  return pets.map(({ name, categoryId = complete.categoryId, status = complete.status }) =>
    checkPet({ name, categoryId, status }),
  );
}

/** Leaving a question ends the sitting: the first pet that was typed is offered as a line, the others are named. */
function stopSitting(
  error: unknown,
  { context, environment }: Sitting,
  added: readonly NewPet[],
  [draft = {}, ...others]: readonly Draft[],
): never {
  const stopped = explainStop(error, { context, environment, count: added.length, draft });
  if (stopped !== error) nameNotAdded(context, others);
  throw stopped;
}

/** Asks whether a pet is meant a second time, and before the first write to a protected environment. */
async function confirmOne(
  { context, environment, categories, isWrite }: Sitting,
  added: readonly NewPet[],
  [pet]: readonly NewPet[],
): Promise<boolean> {
  if (pet === undefined) return false;
  const { prompts } = context;
  const name = JSON.stringify(pet.name);
  const again = `${name} was just added to category ${pet.categoryId}. Add another one?`;
  const isRepeated = listRepeated([pet], added).length > 0;
  if (isRepeated && !(await prompts.askConfirm(again, false))) return false;
  const action = `Add ${describePet(pet, categories)},`;
  if (added.length === 0 && isWrite) await confirmWrite(context, environment, action);
  return true;
}

/** Shows all of them, and asks once. */
async function confirmSeveral(
  sitting: Sitting,
  added: readonly NewPet[],
  pets: readonly NewPet[],
  doubts: readonly string[],
): Promise<boolean> {
  const { context, environment, isWrite } = sitting;
  const warnings = [...doubts, ...listRepeated(pets, added)];
  showPets(sitting, pets, warnings);
  const action = `Add ${pets.length} pet${pets.length === 1 ? '' : 's'}`;
  // Refuses the name of another environment.
  if (context.options.confirm !== undefined && isWrite)
    await confirmWrite(context, environment, action);
  const question = `${action} to ${formatPlace(environment)}?`;
  return await context.prompts.askConfirm(question, warnings.length === 0);
}

/** Names that are there twice in one category, among these pets or with those that were added. */
function listRepeated(pets: readonly NewPet[], added: readonly NewPet[]): string[] {
  const seen = new Set(added.map(toIdentity));
  return pets.flatMap((pet) => {
    const isRepeated = seen.has(toIdentity(pet));
    seen.add(toIdentity(pet));
    return isRepeated ? [`${JSON.stringify(pet.name)} is there twice.`] : [];
  });
}

function toIdentity({ name, categoryId }: NewPet): string {
  return `${categoryId} ${name}`;
}

const SHOWN_PETS = 12;

function showPets(
  { context, categories }: Sitting,
  pets: readonly NewPet[],
  warnings: readonly string[],
): void {
  const { terminal } = context;
  const columns = createPetColumns(categories.names).filter(({ name }) => name !== 'id');
  const rows = pets.slice(0, SHOWN_PETS).map((pet) => ({ id: 0n, ...pet }));
  const rest = pets.length - rows.length;
  terminal.writeError(formatTable(columns, rows, terminal.stderr));
  for (const line of [...(rest > 0 ? [`and ${rest} more`] : []), ...new Set(warnings)])
    terminal.writeError(`${fitWords(line, terminal.stderr)}\n`);
}

function formatQuestion({ added, kind, given }: State, categories: Categories): string {
  const { categoryId, status } = kind;
  const known = [
    ...(categoryId === undefined ? [] : [`category ${formatCategory(categories, categoryId)}`]),
    ...(status === undefined ? [] : [status]),
  ].join(', ');
  if (added.length === 0) return kind === given ? 'Name' : `Name (${known})`;
  const changes =
    categories.names.size === 0 ? 'a number or a status' : 'a number, a category or a status';
  return `Another? Name, or Enter to stop (${known}; ${changes} changes it)`;
}

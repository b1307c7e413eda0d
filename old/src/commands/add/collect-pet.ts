import * as v from 'valibot';
import { NewPet, PetName, type PetStatus } from '../../contract/pet.ts';
import { UserError } from '../../errors.ts';
import { describePetIssue } from '../../import/read/explain-issue.ts';
import type { PartialNewPet } from '../../import/read/read-new-pet.ts';
import type { Context } from '../../program/context/context.ts';
import { formatRepeat } from './rerun-line.ts';

export interface PetOptions {
  name?: string;
  category?: bigint;
  status?: PetStatus;
  /** A file with what is not given otherwise. */
  from?: string;
}

export interface CollectedPet {
  pet: NewPet;
  /** Whether a person was asked for some of it, and for its name. */
  isAsked: boolean;
  isNameAsked: boolean;
}

interface PetPrompts {
  /** Finds out whether the pet could be added, before anything is typed. */
  beforeAsking(): Promise<void>;
  /** The categories last used, newest first. */
  listRecentCategories(): Promise<string[]>;
}

/**
 * The pet to add, from options, a file and, on a terminal, prompts.
 * @throws UserError naming everything that is missing.
 */
export async function collectPet(
  context: Context,
  options: PetOptions,
  prompts: PetPrompts,
): Promise<CollectedPet> {
  refuseIdleFrom(options);
  const given = { ...(await readFrom(context, options)), ...readFlags(options) };
  const isNameAsked = given.name === undefined;
  if (!isNameAsked && given.categoryId !== undefined)
    return { pet: checkPet(context, given), isAsked: false, isNameAsked };
  if (!context.terminal.canAsk || options.from === '-') throw refuseMissing(given);
  await prompts.beforeAsking();
  const { askForPet } = await import('./ask-for-pet.ts');
  const asked = await askForPet(context, given, prompts.listRecentCategories);
  return { pet: checkPet(context, asked), isAsked: true, isNameAsked };
}

/** What is said on the command line overrides the file: where that is everything, the file is a mistake. */
function refuseIdleFrom({ from, name, category, status }: PetOptions): void {
  if ([from, name, category, status].includes(undefined)) return;
  throw new UserError(
    'cli_usage',
    '--from has no effect: name, --category and --status are given; leave one of them out',
    { next: ['petstore add --help'] },
  );
}

function readFlags({ name, category, status }: PetOptions): PartialNewPet {
  return {
    ...(name === undefined ? {} : { name }),
    ...(category === undefined ? {} : { categoryId: category }),
    ...(status === undefined ? {} : { status }),
  };
}

async function readFrom(context: Context, { from }: PetOptions): Promise<PartialNewPet> {
  if (from === undefined) return {};
  const { readNewPet } = await import('../../import/read/read-new-pet.ts');
  // Asked of the context only here: to look at stdin opens it, which costs time.
  return await readNewPet(from, context.stdin, context.signal);
}

function checkPet(context: Context, given: PartialNewPet): NewPet {
  const result = v.safeParse(NewPet, given);
  if (result.success) return result.output;
  throw new UserError(
    'cli_invalid_input',
    `This pet cannot be added: ${result.issues.map(describePetIssue).join('; ')}`,
    { next: [suggestLine(context, given)] },
  );
}

/** The line with a name that can be, or one that asks for it. */
function suggestLine(context: Context, { name, ...others }: PartialNewPet): string {
  const repaired = name?.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  if (v.is(PetName, repaired)) return formatRepeat(context, { ...others, name: repaired });
  return context.terminal.canAsk ? formatRepeat(context, others) : 'petstore add --help';
}

function refuseMissing(given: PartialNewPet): UserError {
  const missing = [
    ...(given.name === undefined ? ['the name (its first argument)'] : []),
    ...(given.categoryId === undefined ? ['--category <id>'] : []),
  ];
  return new UserError('cli_usage', `Missing: ${missing.join(' and ')}`, {
    next: ['petstore add --help'],
  });
}

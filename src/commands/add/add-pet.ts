import { randomUUID } from 'node:crypto';
import type { NewPet, Pet } from '../../contract/pet.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { checkService } from '../shared/check-service.ts';
import { writePet } from '../shared/pets.ts';
import { requireSamePet } from '../shared/same-pet.ts';
import { announceTarget, confirmWrite, refuseEnded } from '../shared/target.ts';
import { addMore, canAddMore } from './add-more.ts';
import { collectPet, type PetOptions } from './collect-pet.ts';
import { printRequest } from './dry-run.ts';
import { isRepeat, rememberAdd } from './recent-adds.ts';
import { formatLookUp, formatRepeat, formatRerun, rerunWords } from './rerun-line.ts';

export interface AddOptions extends PetOptions {
  idempotencyKey?: string;
  dryRun?: boolean;
}

/** Adds one pet, once, and prints it as the service stored it; then others, while somebody names them. */
export async function addPet(context: Context, options: AddOptions): Promise<void> {
  await announceTarget(context, { key: !options.dryRun });
  const beforeAsking = once(async () => {
    if (options.dryRun) return;
    refuseEnded(context, { words: ['petstore', 'add', ...(options.name ? [options.name] : [])] });
    await checkService(context);
  });
  const { pet, isAsked, isNameAsked } = await collectPet(context, options, beforeAsking);
  const { idempotencyKey } = options;
  if (options.dryRun) return await printRequest(context, pet, idempotencyKey ?? randomUUID());
  const write = { ...(idempotencyKey && { idempotencyKey }), beforeAsking, isAsked };
  await addOne(context, pet, write);
  if (!isNameAsked || idempotencyKey || !canAddMore(context)) return;
  await addMore(context, pet, (other) => addOne(context, other, write));
}

interface PetWrite {
  idempotencyKey?: string;
  beforeAsking(): Promise<void>;
  /** Whether some of the pet was typed at a prompt, and must not be lost. */
  isAsked: boolean;
}

async function addOne(context: Context, pet: NewPet, write: PetWrite): Promise<void> {
  await confirmWrite(context, {
    action: `Add ${JSON.stringify(pet.name)}`,
    words: rerunWords(pet, write.idempotencyKey),
    beforeAsking: write.beforeAsking,
    askFurther: () => confirmRepeat(context, pet, write),
  });
  const idempotencyKey = write.idempotencyKey ?? randomUUID();
  const client = await context.client({
    recovery: {
      rerun: formatRerun(context, pet, idempotencyKey),
      lookUp: formatLookUp(context, pet),
    },
    ...(write.isAsked && { typed: { name: pet.name, line: formatRepeat(context, pet) } }),
  });
  const { pet: added, isReplay } = await client.createPet(pet, { idempotencyKey });
  rememberAdd(context, pet, await client.honorsIdempotency());
  const { name } = context.environments.target();
  context.terminal.notice(
    isReplay
      ? `Pet ${added.id} was already added to ${name} with this idempotency key; nothing was added now.`
      : `Added pet ${added.id} to ${name}.`,
    { environment: name, id: String(added.id), outcome: 'applied' },
  );
  await print(context, added);
  requireSamePet(context, pet, added);
}

/** Output that cannot be written does not undo the add: the error must say so, or a script would add again. */
async function print(context: Context, pet: Pet): Promise<void> {
  try {
    await writePet(context, pet);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const details = [`pet ${pet.id} was added to ${context.environments.target().name}`];
    throw new UserError(error.code, error.message, { outcome: 'applied', details, cause: error });
  }
}

/** Adding the same pet twice within minutes is mostly a mistake: the last line, run again. */
async function confirmRepeat(
  context: Context,
  pet: NewPet,
  { idempotencyKey, beforeAsking }: PetWrite,
): Promise<void> {
  if (!context.terminal.canAsk || idempotencyKey || !isRepeat(context, pet)) return;
  await beforeAsking();
  const question = `${JSON.stringify(pet.name)} was added to category ${pet.categoryId} a few minutes ago. Add it again?`;
  if (!(await context.prompt.askConfirm(question))) {
    throw new UserError('cli_declined', 'Not added again; nothing was sent');
  }
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}

import { randomUUID } from 'node:crypto';
import type { NewPet, Pet } from '../../contract/pet.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { checkService } from '../shared/check-service.ts';
import { formatLookUp } from '../shared/look-up-line.ts';
import { writePet } from '../shared/pets.ts';
import { requireSamePet } from '../shared/same-pet.ts';
import { announceTarget, confirmWrite, refuseEnded } from '../shared/target.ts';
import { openWriteHistory, type WriteHistory } from '../shared/write-history.ts';
import { addMore, canAddMore } from './add-more.ts';
import { collectPet, type PetOptions } from './collect-pet.ts';
import { printRequest } from './dry-run.ts';
import { findRepeated, listRecentCategories } from './recent-adds.ts';
import { sendRecorded } from './record-add.ts';
import { formatRepeat, formatRerun, keepTyped, rerunWords } from './rerun-line.ts';

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
  const history = openWriteHistory(context);
  try {
    const { pet, isAsked, isNameAsked } = await collectPet(context, options, {
      beforeAsking,
      listRecentCategories: () => listRecentCategories(history),
    });
    const { idempotencyKey } = options;
    if (options.dryRun) return await printRequest(context, pet, idempotencyKey ?? randomUUID());
    const write = { ...(idempotencyKey && { idempotencyKey }), beforeAsking, isAsked, history };
    await addOne(context, pet, write);
    if (!isNameAsked || idempotencyKey || !canAddMore(context)) return;
    await addMore(context, pet, (other) => addOne(context, other, write));
  } finally {
    await history.close();
  }
}

interface PetWrite {
  idempotencyKey?: string;
  beforeAsking(): Promise<void>;
  /** Whether some of the pet was typed at a prompt, and must not be lost. */
  isAsked: boolean;
  history: WriteHistory;
}

async function addOne(context: Context, pet: NewPet, write: PetWrite): Promise<void> {
  const idempotencyKey = write.idempotencyKey ?? randomUUID();
  const connect = () =>
    context.client({
      recovery: {
        rerun: formatRerun(context, pet, idempotencyKey),
        lookUp: formatLookUp(context, pet.name),
      },
      ...(write.isAsked && { typed: { name: pet.name, line: formatRepeat(context, pet) } }),
    });
  const confirm = () =>
    confirmWrite(context, {
      action: `Add ${JSON.stringify(pet.name)}`,
      words: rerunWords(pet, write.idempotencyKey),
      beforeAsking: write.beforeAsking,
      askFurther: async () => {
        // The history is loaded while the keychain responds; what fails there is met below.
        connect().catch(() => {});
        await confirmRepeat(context, pet, write);
      },
    });
  await (write.isAsked ? keepTyped(context, () => pet, confirm) : confirm());
  const client = await connect();
  const { history } = write;
  const created = await sendRecorded(context, history, client, pet, idempotencyKey);
  const { pet: added, isReplay } = created;
  rememberPromise(context, await client.honorsIdempotency());
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
  { idempotencyKey, beforeAsking, history }: PetWrite,
): Promise<void> {
  await history.load();
  if (!context.terminal.canAsk || idempotencyKey) return;
  const earlier = await findRepeated(history, context, pet);
  if (earlier === undefined) return;
  await beforeAsking();
  const was = earlier.outcome === 'applied' ? 'was' : 'may have been';
  const question = `${JSON.stringify(pet.name)} ${was} added to category ${pet.categoryId} a few minutes ago. Add it again?`;
  if (!(await context.prompt.askConfirm(question))) {
    throw new UserError('cli_declined', 'Not added again; nothing was sent');
  }
}

/** Remembers what the service promised, for an add that it cannot be asked about. */
function rememberPromise({ state, environments }: Context, honorsKeys: boolean): void {
  const { url } = environments.target();
  if (state.read().idempotentServices.includes(url) === honorsKeys) return;
  state.update((before) => {
    const others = before.idempotentServices.filter((other) => other !== url);
    return { ...before, idempotentServices: honorsKeys ? [...others, url] : others };
  });
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}

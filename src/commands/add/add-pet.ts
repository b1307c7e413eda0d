import { randomUUID } from 'node:crypto';
import { describeCreatePet } from '../../client/client.ts';
import type { HttpRequest } from '../../client/transport/transport.ts';
import type { OutputFormat } from '../../contract/output-formats.ts';
import type { RequestPreview } from '../../contract/outputs/request-preview.ts';
import type { NewPet, Pet } from '../../contract/pet.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { encodeJson } from '../../terminal/records/encode-json.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';
import { writePet } from '../shared/pets.ts';
import { announceTarget, confirmWrite } from '../shared/target.ts';
import { collectPet, type PetOptions } from './collect-pet.ts';
import { isRepeat, rememberAdd } from './recent-adds.ts';

export interface AddOptions extends PetOptions {
  idempotencyKey?: string;
  dryRun?: boolean;
}

/** Adds one pet, once, and prints it as the service stored it. */
export async function addPet(context: Context, options: AddOptions): Promise<void> {
  await announceTarget(context);
  const pet = await collectPet(context, options);
  const idempotencyKey = options.idempotencyKey ?? randomUUID();
  if (options.dryRun) return await printRequest(context, pet, idempotencyKey);
  await confirmWrite(context, {
    action: `Add ${JSON.stringify(pet.name)}`,
    words: rerunWords(pet, options.idempotencyKey),
  });
  await confirmRepeat(context, pet, options);
  const client = await context.client({ rerun: formatRerun(context, pet, idempotencyKey) });
  const { pet: added, isReplay } = await client.createPet(pet, { idempotencyKey });
  rememberAdd(context, pet);
  const { name } = context.environments.target();
  context.terminal.notice(
    isReplay
      ? `Pet ${added.id} was already added to ${name} with this idempotency key; nothing was added now.`
      : `Added pet ${added.id} to ${name}.`,
    { environment: name, id: String(added.id), outcome: 'applied' },
  );
  await print(context, added);
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
async function confirmRepeat(context: Context, pet: NewPet, options: AddOptions): Promise<void> {
  if (!context.terminal.canAsk || options.idempotencyKey || !isRepeat(context, pet)) return;
  const question = `${JSON.stringify(pet.name)} was added to category ${pet.categoryId} a few minutes ago. Add it again?`;
  if (!(await context.prompt.askConfirm(question))) {
    throw new UserError('cli_declined', 'Not added again; nothing was sent');
  }
}

async function printRequest(context: Context, pet: NewPet, idempotencyKey: string): Promise<void> {
  const { url } = context.environments.target();
  const request = describeCreatePet(url, pet, idempotencyKey);
  await context.terminal.stdout.write(`${formatRequest(context.terminal.format, request, pet)}\n`);
  context.terminal.notice('Dry run: nothing was sent.', { outcome: 'not_sent' });
}

function formatRequest(format: OutputFormat, request: HttpRequest, pet: NewPet): string {
  const { method, url, headers, body } = request;
  if (format === 'json' || format === 'ndjson') {
    const preview: RequestPreview = { method: 'POST', url: url.href, headers, body: pet };
    return encodeJson(preview);
  }
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, ...fields, '', body].join('\n');
}

function rerunWords({ name, categoryId, status }: NewPet, idempotencyKey?: string): string[] {
  const key = idempotencyKey === undefined ? [] : ['--idempotency-key', idempotencyKey];
  const options = ['--category', String(categoryId), ...(status ? ['--status', status] : [])];
  return name.startsWith('-')
    ? ['petstore', 'add', ...key, ...options, '--', name]
    : ['petstore', 'add', ...key, name, ...options];
}

/** The line that repeats this add without a second pet. It names the environment, so that it means the same tomorrow. */
function formatRerun(context: Context, pet: NewPet, idempotencyKey: string): string {
  const { name, protected: isProtected } = context.environments.target();
  const confirm = isProtected ? ['--confirm', name] : [];
  const words = rerunWords(pet, idempotencyKey);
  return formatShellLine([...words.slice(0, 2), '--env', name, ...confirm, ...words.slice(2)]);
}

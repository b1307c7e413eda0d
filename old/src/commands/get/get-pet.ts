import type { Page, PetstoreClient } from '../../client/client.ts';
import { RequestError } from '../../client/request-error.ts';
import { GET_PET_SUNSET, pageLimits } from '../../contract/operations.ts';
import type { Pet } from '../../contract/pet.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { isNoticeDue } from '../../program/context/daily-notice.ts';
import { writePet } from '../shared/pets.ts';
import { readPages } from '../shared/read-pages.ts';
import { announceTarget } from '../shared/target.ts';
import type { LookupMethod } from './index.ts';

const DAY_MS = 86_400_000;
const LAST_DAYS = 90;

export interface GetOptions {
  id: bigint;
  via?: LookupMethod;
}

/** Shows one pet: by the deprecated operation while the service has it, from the list once the service says it is gone. */
export async function getPet(context: Context, { id, via = 'auto' }: GetOptions): Promise<void> {
  await announceTarget(context);
  const client = await context.client();
  const pet = via === 'list' ? undefined : await requestPet(context, client, id, via);
  const found = pet ?? (await findInList(context, client, id));
  await writePet(context, found);
}

/** Undefined when the operation was removed and the list may be read instead. */
async function requestPet(
  context: Context,
  client: PetstoreClient,
  id: bigint,
  via: LookupMethod,
): Promise<Pet | undefined> {
  try {
    const pet = await client.getPet(id);
    noticeDeprecation(context);
    return pet;
  } catch (error) {
    if (via === 'auto' && isRemoved(error)) {
      noticeRemoval(context);
      return undefined;
    }
    throw error;
  }
}

function isRemoved(error: unknown): boolean {
  return error instanceof RequestError && 'status' in error.failure && error.failure.status === 410;
}

async function findInList(context: Context, client: PetstoreClient, id: bigint): Promise<Pet> {
  let more: Page['more'] = 'no';
  const pages = readPages(client, { limit: pageLimits.max }, Number.POSITIVE_INFINITY);
  for await (const page of pages) {
    const found = page.pets.find((pet) => pet.id === id);
    if (found !== undefined) return found;
    more = page.more;
  }
  const { name } = context.environments.target();
  if (more === 'no') {
    throw new UserError('cli_not_found', `There is no pet ${id} in ${name}.`, {
      outcome: 'not_applied',
      details: ['every page of its list was read'],
      next: [`petstore list --env ${name} --all`],
    });
  }
  throw new UserError(
    'cli_incomplete',
    `Pet ${id} was not in the part of the list that ${name} shows`,
    {
      outcome: 'not_applied',
      details: ['the service does not say whether more pets exist'],
    },
  );
}

/** Announces that the operation will be removed: once a day per environment, every time in its last 90 days. */
function noticeDeprecation(context: Context): void {
  const left = GET_PET_SUNSET.getTime() - context.clock().getTime();
  const isNear = left < LAST_DAYS * DAY_MS;
  if (!isNear && !isDue(context, 'get-deprecated')) return;
  context.terminal.notice(
    'From 5 December 2030 petstore get reads the whole list: the service then removes the look-up by id. See: petstore help deprecation',
    { code: 'cli_deprecated', sunset: GET_PET_SUNSET.toISOString() },
  );
}

/** Announces that the operation was removed, once a day per environment. */
function noticeRemoval(context: Context): void {
  if (!isDue(context, 'get-removed')) return;
  context.terminal.notice(
    'The service has removed the look-up by id; reading the whole list instead. See: petstore help deprecation',
    { code: 'cli_removed' },
  );
}

function isDue(context: Context, notice: string): boolean {
  return isNoticeDue(context, `${notice} ${context.environments.target().name}`);
}

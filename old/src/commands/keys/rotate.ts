import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { type StoreOptions, withStore } from '../db/with-store.ts';
import { findKeyState } from './key-state.ts';
import { describeNewKey, printNewKey } from './print-new-key.ts';
import { refuseMissingKey } from './refuse-missing-key.ts';

type ApiKeyRecord = import('../../service/storage/store.ts').ApiKeyRecord;

interface RotateOptions extends StoreOptions {
  id: string;
  /** Milliseconds during which both keys are valid. */
  grace: number;
}

/** Creates a key of the same name and access, valid for as long as the old one was, and has the old one end. */
export async function rotateKey(context: Context, options: RotateOptions): Promise<void> {
  const { issued, former, database, endsAt } = await replaceKey(context, options);
  const replaces = { id: Number(former.id), expiresAt: endsAt.toISOString() };
  await printNewKey(context, { ...describeNewKey(issued), replaces });
  const { id, name, expiresAt } = issued.record;
  // Of a key that was rotated before, only its early end is known.
  const end = expiresAt === undefined ? '' : ` It ends on ${expiresAt.toISOString()}.`;
  context.terminal.notice(
    `Created key ${id} ("${name}") in ${database}. It is not shown again.${end} It replaces key ${former.id}, which ends on ${replaces.expiresAt}.`,
    { database },
  );
}

async function replaceKey(context: Context, options: RotateOptions) {
  const createdAt = context.clock();
  return await withStore(context, options, async ({ store, database }) => {
    const former = (await store.listKeys()).find(({ id }) => String(id) === options.id);
    if (former === undefined) throw refuseMissingKey(options, database);
    const endsAt = findEnd(former, new Date(createdAt.getTime() + options.grace));
    const { replaceKey } = await import('../../service/keys/issue-key.ts');
    const issued = await replaceKey(store, { former, createdAt, endsAt });
    if (issued === undefined) throw refuseEnded(former, database, createdAt);
    return { issued, former, database, endsAt };
  });
}

/** A key never ends later because it is rotated. */
function findEnd({ expiresAt }: ApiKeyRecord, latest: Date): Date {
  return expiresAt !== undefined && expiresAt < latest ? expiresAt : latest;
}

function refuseEnded(former: ApiKeyRecord, database: string, now: Date): UserError {
  const state = findKeyState(former, now);
  return new UserError(
    'cli_usage',
    `Key ${former.id} ("${former.name}") in ${database} is ${state}: create a new one instead`,
    { next: ['petstore keys create --help'] },
  );
}

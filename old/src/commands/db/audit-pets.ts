import type { AuditedPet } from '../../contract/outputs/audit.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import type { RecordSheet } from '../../terminal/records/record-sheet.ts';
import { writeRecordsOf } from '../../terminal/records/record-writer.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';
import { readRecordOptions } from '../shared/pets.ts';
import type { DatabaseOptions } from './with-database.ts';
import { withStore } from './with-store.ts';

type Store = import('../../service/storage/store.ts').Store;
type AuditQuery = import('../../service/storage/store.ts').AuditQuery;
type AuditRecord = import('../../service/storage/store.ts').AuditRecord;

interface AuditOptions extends DatabaseOptions {
  pet?: bigint;
  /** The name of an API key. */
  key?: string;
  /** Milliseconds. */
  since?: number;
}

/** What the store does not know: who added a pet before it was recorded. */
const UNKNOWN = 'unknown';

const sheet: RecordSheet<AuditedPet> = {
  columns: [
    { name: 'id', heading: 'ID', align: 'right', overflow: 'none' },
    { name: 'name', heading: 'NAME', overflow: 'shorten' },
    { name: 'categoryId', heading: 'CATEGORY', align: 'right', overflow: 'none' },
    { name: 'status', heading: 'STATUS', overflow: 'none' },
    { name: 'keyId' },
    { name: 'key', heading: 'KEY' },
    { name: 'addedAt', heading: 'ADDED', show: ({ addedAt }) => addedAt ?? UNKNOWN },
  ],
  id: ({ id }) => id,
  emptyNotice: 'No pets found.',
};

/** Says by which API key pets were added, and when. @throws UserError */
export async function auditPets(context: Context, options: AuditOptions): Promise<void> {
  await withStore(context, options, async ({ store, database }) => {
    const keys = new Map((await store.listKeys()).map(({ id, name }) => [id, name]));
    const query = readQuery(options, keys, database, context.clock());
    const { fields: _, ...layout } = readRecordOptions(context);
    let pets = 0;
    await writeRecordsOf(context.terminal, sheet, layout, async (add) => {
      for await (const records of readRecords(store, query, options.pet, database)) {
        context.signal.throwIfAborted();
        pets += records.length;
        await add(records.map((record) => toAuditedPet(record, keys)));
      }
    });
    const count = `${pets.toLocaleString('en-US')} ${pets === 1 ? 'pet' : 'pets'}`;
    context.terminal.notice(`${count} in ${database}`, { database, pets });
  });
}

/** Pets are read in groups, so that memory does not grow with the store. */
const GROUP_SIZE = 1_000;

async function* readRecords(
  store: Store,
  query: Pick<AuditQuery, 'keyIds' | 'since'>,
  pet: bigint | undefined,
  database: string,
): AsyncGenerator<AuditRecord[]> {
  if (pet !== undefined) {
    const [record] = pet < 1n ? [] : await store.readAudit({ after: pet - 1n, limit: 1 });
    if (record?.id !== pet) throw refuseMissing(`pet ${pet}`, database);
    yield [record];
    return;
  }
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const records = await store.readAudit({ ...query, after, limit: GROUP_SIZE });
    yield records;
    after = records.length < GROUP_SIZE ? undefined : records.at(-1)?.id;
  }
}

/** A key keeps its name when it is rotated: every key of the name is meant. */
function readQuery(
  { key, since }: AuditOptions,
  keys: ReadonlyMap<bigint, string>,
  database: string,
  now: Date,
): Pick<AuditQuery, 'keyIds' | 'since'> {
  const keyIds = [...keys].flatMap(([id, name]) => (name === key ? [id] : []));
  if (key !== undefined && keyIds.length === 0)
    throw refuseMissing(`key named ${JSON.stringify(key)}`, database, ['petstore', 'keys', 'list']);
  return {
    keyIds: key === undefined ? undefined : keyIds,
    since: since === undefined ? undefined : new Date(now.getTime() - since),
  };
}

function refuseMissing(what: string, database: string, words?: readonly string[]): UserError {
  return new UserError('cli_not_found', `There is no ${what} in ${database}`, {
    next: words === undefined ? [] : [formatShellLine([...words, '--database', database])],
  });
}

function toAuditedPet(
  { id, name, categoryId, status, keyId, addedAt }: AuditRecord,
  keys: ReadonlyMap<bigint, string>,
): AuditedPet {
  return {
    ...{ id, name, categoryId, status },
    keyId: keyId === undefined ? null : Number(keyId),
    key: (keyId === undefined ? undefined : keys.get(keyId)) ?? UNKNOWN,
    addedAt: addedAt?.toISOString() ?? null,
  };
}

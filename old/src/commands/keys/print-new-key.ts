import type { CreatedKey, RotatedKey } from '../../contract/outputs/api-keys.ts';
import type { Context } from '../../program/context/context.ts';

type ApiKeyRecord = import('../../service/storage/store.ts').ApiKeyRecord;

/** What a script is told of a new key. */
export function describeNewKey({ record, key }: { record: ApiKeyRecord; key: string }): CreatedKey {
  const { id, name, access, createdAt, expiresAt } = record;
  return {
    id: Number(id),
    name,
    access,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    key,
  };
}

/** Prints the only copy of a new key. It goes to stdout alone, so that it can be piped to where it is needed. */
export async function printNewKey(
  { terminal }: Context,
  created: CreatedKey | RotatedKey,
): Promise<void> {
  const isJson = terminal.format === 'json' || terminal.format === 'ndjson';
  await terminal.stdout.writeSecret(`${isJson ? JSON.stringify(created) : created.key}\n`);
}

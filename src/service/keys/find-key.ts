import { UserError } from '../../errors.ts';
import type { ApiKeyRecord, Store } from '../storage/store.ts';
import { findKeyState } from './key-state.ts';

/**
 * The key with this number, or of this name: the active one, else the latest that ended.
 * @throws UserError `cli_not_found`
 */
export async function findKey(
  store: Pick<Store, 'listKeys'>,
  nameOrNumber: string,
  now: Date,
): Promise<ApiKeyRecord> {
  const keys = await store.listKeys();
  const found = keys.filter(({ id, name }) => name === nameOrNumber || String(id) === nameOrNumber);
  const key = found.find((record) => findKeyState(record, now) === 'active') ?? found.at(-1);
  if (key !== undefined) return key;
  throw new UserError('cli_not_found', `There is no key ${nameOrNumber}.`, {
    try: [['petstore', 'keys', 'list']],
  });
}

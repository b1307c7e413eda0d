import type { Target } from '../../config/environments/environments.ts';
import type { KeyStorage } from '../../config/keys/key-records.ts';
import { parseKey } from '../../config/keys/keys.ts';
import { isApiKey } from '../../contract/api-key.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';

/** A key that was typed, piped or read from a file. */
export type GivenKey = ReturnType<typeof parseKey>;

/** Reads a key that is to be stored; white space around it was copied along. @throws UserError for what cannot be a key. */
export function parseNewKey(text: string, from: string): GivenKey {
  const key = parseKey(text.trim(), from, 'cli_invalid_input');
  if (key.value.startsWith('pst_') && !isApiKey(key.value)) {
    throw new UserError('cli_invalid_input', `The API key from ${from} is mistyped or truncated`, {
      details: ['its last characters are a checksum, which does not match'],
    });
  }
  return key;
}

/** Stores a key and says where. @throws UserError when the storage fails. */
export async function storeNewKey(
  { keys, terminal, paths, clock }: Context,
  target: Target,
  key: GivenKey,
  storage: KeyStorage,
): Promise<void> {
  const sharing = await keys.stored.store(target, { ...key, storage, storedAt: clock() });
  const place = storage === 'file' ? paths.keyFile : 'the OS keychain';
  const { lastFour } = key;
  terminal.notice(`Stored the API key ending ${lastFour} for ${target.name} in ${place}.`, {
    environment: target.name,
    storage,
    lastFour,
  });
  if (sharing.length === 0) return;
  terminal.warn(
    `The same key is stored for ${sharing.join(', ')}. Each environment should have a key of its own.`,
    { environments: sharing },
  );
}

import type { Target } from '../../config/environments/environments.ts';
import type { KeyStorage } from '../../config/keys/key-records.ts';
import { parseKey } from '../../config/keys/keys.ts';
import { isApiKey } from '../../contract/api-key.ts';
import type { KeyInfo } from '../../contract/key-info.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';

/** A key that was typed, piped or read from a file, and what the service said of it if it was asked. */
export type GivenKey = ReturnType<typeof parseKey> & { info?: KeyInfo | undefined };

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
  const { lastFour, info } = key;
  const stored = `Stored the API key ending ${lastFour} for ${target.name} in ${place}.`;
  terminal.notice([stored, ...describeLimits(info)].join(' '), {
    ...{ environment: target.name, storage, lastFour },
    ...(info && { access: info.access }),
    ...(info?.expiresAt && { expiresAt: info.expiresAt.toISOString() }),
  });
  if (sharing.length === 0) return;
  terminal.warn(
    `The same key is stored for ${sharing.join(', ')}. Each environment should have a key of its own.`,
    { environments: sharing },
  );
}

/** What the key cannot do, in sentences. */
function describeLimits(info: KeyInfo | undefined): string[] {
  return [
    ...(info?.access === 'read' ? ['It can only read.'] : []),
    ...(info?.expiresAt ? [`It ends on ${info.expiresAt.toISOString().slice(0, 10)}.`] : []),
  ];
}

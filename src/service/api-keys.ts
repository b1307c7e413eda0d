import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { formatApiKey } from '../contract/api-key.ts';
import { type CommandLine, messageOf, UserError } from '../errors.ts';
import { quoteValue } from '../input/explain-value.ts';
import { type ApiKeyRecord, type NewApiKey, type Store, StoreError } from './storage/store.ts';

export type KeyState = 'active' | 'expired' | 'revoked';

/** Whether a key is accepted at a time, and if not, why. */
export function findKeyState({ revokedAt, expiresAt }: ApiKeyRecord, at: Date): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= at ? 'expired' : 'active';
}

/** The SHA-256 under which a key is stored. A key has 256 random bits: nothing slower is needed against guessing. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/**
 * The key with this number, or of this name: the active one, else the latest that ended.
 * @param next what to type where there is none.
 * @throws UserError `cli_not_found`
 */
export async function findKey(
  store: Pick<Store, 'listKeys'>,
  nameOrNumber: string,
  now: Date,
  next: readonly CommandLine[] = [],
): Promise<ApiKeyRecord> {
  const keys = await store.listKeys();
  const found = keys.filter(({ id, name }) => name === nameOrNumber || String(id) === nameOrNumber);
  const key = found.find((record) => findKeyState(record, now) === 'active') ?? found.at(-1);
  if (key !== undefined) return key;
  throw new UserError('cli_not_found', `There is no key ${quoteValue(nameOrNumber)}.`, {
    try: next,
  });
}

const LONGEST_NAME = 100;

/** A digit alone would be taken for the number of a key. */
const KeyName = v.pipe(
  v.string(),
  v.regex(/\S/, 'it is empty'),
  v.check(
    (name) => [...name].length <= LONGEST_NAME,
    `it is longer than ${LONGEST_NAME} characters`,
  ),
  v.check((name) => !/\p{C}/u.test(name), 'it has a character that cannot be seen'),
  // What bytes that are not UTF-8 become.
  v.check((name) => !name.includes('\ufffd'), 'it has lost a letter (U+FFFD): write it in UTF-8'),
  v.check((name) => !/^\d+$/.test(name), 'it looks like the number of a key'),
);

/**
 * Creates a key. Its text is printed before it becomes valid, so that no key exists that nobody knows, and never while a
 * transaction is open, which would hold the writer.
 * @param print must have written the text when it resolves; when it fails, nothing is created
 * @throws UserError `cli_usage` for a name that is not valid or in use, `cli_database` when the printed key is not valid
 */
export async function createKey(
  store: Pick<Store, 'listKeys' | 'createKey'>,
  details: Omit<NewApiKey, 'hash'>,
  print: (key: string) => Promise<void>,
): Promise<ApiKeyRecord> {
  await checkName(store, details);
  const key = formatApiKey(randomBytes(32));
  await print(key);
  const created = await store
    .createKey({ ...details, hash: hashApiKey(key) })
    .catch(throwKeyFailure);
  if (created !== undefined) return created;
  const message = `The printed key is not valid: another one named ${details.name} was created meanwhile.`;
  throw refuseName(message);
}

async function checkName(
  store: Pick<Store, 'listKeys'>,
  { name, createdAt }: Omit<NewApiKey, 'hash'>,
): Promise<void> {
  const parsed = v.safeParse(KeyName, name);
  if (!parsed.success) {
    const [{ message }] = parsed.issues;
    throw refuseName(`${quoteValue(name)} cannot be the name of a key: ${message}.`);
  }
  const keys = await store.listKeys();
  if (keys.some((key) => key.name === name && findKeyState(key, createdAt) === 'active')) {
    throw refuseName(`There is a key ${name} already: use another name, or revoke that key first.`);
  }
}

function refuseName(message: string): UserError {
  return new UserError('cli_usage', message);
}

function throwKeyFailure(cause: unknown): never {
  const isUnknown = cause instanceof StoreError && cause.isOutcomeUnknown;
  throw new UserError(
    'cli_database',
    isUnknown
      ? 'The printed key may not be valid: the database was lost while the key was being stored.'
      : 'The printed key is not valid: it could not be stored.',
    {
      details: [messageOf(cause)],
      outcome: isUnknown ? 'unknown' : 'not_applied',
      cause,
    },
  );
}

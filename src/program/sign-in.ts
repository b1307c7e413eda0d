import type { Config, KeyStorage } from '../config/config-file.ts';
import {
  type Environment,
  findEnvironment,
  listConfiguredNames,
  setEntry,
} from '../config/environments.ts';
import { endingOf, findKeyMistake } from '../config/key-text.ts';
import {
  type FoundKey,
  findKeyVariable,
  type KeyPlace,
  type StoreOptions,
} from '../config/keys.ts';
import { isApiKey } from '../contract/api-key.ts';
import type { KeyInfo } from '../contract/headers.ts';
import { UserError } from '../errors.ts';
import { formatDate } from '../terminal/relative-time.ts';
import {
  askAddress,
  askStoreName,
  type ChosenStore,
  checkTyping,
  chooseStore,
} from './choose-store.ts';
import { confirmNewOrigin } from './confirm.ts';
import { openContextKeys, probe, readEnvironmentSettings, warnOfVariable } from './connect.ts';
import type { Context } from './context.ts';

/** What is known before anything is asked. */
export interface SignInOptions {
  /** In place of `--env`. */
  readonly name?: string | undefined;
  /** The address, as it was typed. */
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  /** `login` selects what it sets up; first use leaves another selection as it is. */
  readonly isLogin?: boolean;
}

/** What a sign-in has set up; a key that is not stored is for this command only. */
export interface SignedIn {
  readonly environment: Environment;
  readonly key?: FoundKey;
}

/**
 * The conversation of `login`, which first use holds too: the address, the key, and for a new address which store it is.
 * Nothing is stored before the service has accepted both. Off a terminal it takes what is given, and asks nothing.
 */
export async function signIn(context: Context, given: SignInOptions = {}): Promise<SignedIn> {
  const { variables, config } = context;
  const { name: environmentOption = context.options.env } = given;
  const settings = { ...readEnvironmentSettings(context), environmentOption };
  const chosen = await chooseStore(context, settings, given.url);
  const overriding = findKeyVariable(variables, chosen.name);
  // Before anything is asked: a key that is stored and not used would be a riddle.
  warnOfVariable(context, overriding, OVERRIDES_KEY);
  const { store, key } = await acceptKey(context, chosen, given.key);
  const name = store.name ?? (await askStoreName(context, settings, store.baseUrl));
  const ownOverriding = findKeyVariable(variables, name);
  if (ownOverriding !== overriding) warnOfVariable(context, ownOverriding, OVERRIDES_KEY);
  const { baseUrl, isTyped: isMoved } = store;
  if (isMoved) await confirmNewOrigin(context, name, baseUrl);
  const isNew = !listConfiguredNames(settings).includes(name);
  const isNamed = (environmentOption ?? variables.PETSTORE_ENV ?? '') !== '';
  const selects = (config: Config) =>
    config.environment === undefined ? given.isLogin || !isNamed : given.isLogin && isNew;
  const isStored = await storeKey(context, { name, baseUrl }, key.text, {
    isMoved,
    change: (config) => ({
      ...(isMoved ? setEntry(config, name, { url: baseUrl.href }) : config),
      ...(selects(config) && { environment: name }),
    }),
  });
  const environment = findEnvironment({ ...settings, config: config.read() }, name);
  if (environment === undefined) throw new Error(`${name} has no address after its sign-in.`);
  reportSuccess(context, environment, key);
  if (isStored || ownOverriding !== undefined) return { environment };
  context.terminal.notice('The key is not stored: it is used for this command only.');
  const { text } = key;
  return { environment, key: { text, source: 'this sign-in', ending: endingOf(text) } };
}

const OVERRIDES_KEY = 'overrides the key that is stored now';

function reportSuccess(
  { terminal }: Context,
  { name, baseUrl }: Environment,
  { info }: AcceptedKey,
): void {
  const about = [
    ...(info?.access === 'read' ? ['is read-only'] : []),
    ...(info?.expiresAt === undefined ? [] : [`expires on ${formatDate(info.expiresAt)}`]),
  ].join(' and ');
  const ofKey = about === '' ? '' : ` The key ${about}.`;
  terminal.notice(`Signed in to ${name} (${baseUrl.host}).${ofKey}`);
}

/** A key that the service has accepted. */
interface AcceptedKey {
  readonly text: string;
  readonly info: KeyInfo | undefined;
}

/** Refused keys in one conversation after which the address is doubted too. */
const REFUSALS = 2;

/** Takes the key that was given, or asks until the service accepts one; another address may be asked for between. */
async function acceptKey(
  context: Context,
  store: ChosenStore,
  given: string | undefined,
): Promise<{ store: ChosenStore; key: AcceptedKey }> {
  const { baseUrl, isTyped } = store;
  if (given !== undefined) return { store, key: await verifyKey(context, baseUrl, given) };
  const { terminal, prompts } = context;
  if (!terminal.isInteractive) throw explainMissingKey();
  const mayGoBack = (refusals: number) => isTyped && refusals >= REFUSALS;
  const key = await prompts.askSecret<AcceptedKey | undefined>(
    (refusals) => formatKeyQuestion(store, mayGoBack(refusals)),
    async (typed, refusals) =>
      mayGoBack(refusals) && typed.trim() === ''
        ? { value: undefined }
        : await checkTyping(() => verifyKey(context, baseUrl, typed)),
  );
  if (key !== undefined) return { store, key };
  const other = await askAddress(context, baseUrl.host);
  return await acceptKey(context, { ...store, baseUrl: other }, undefined);
}

function formatKeyQuestion({ name, baseUrl }: ChosenStore, mayGoBack: boolean): string {
  const place = name === undefined ? baseUrl.host : `${name} at ${baseUrl.host}`;
  return `API key for ${place} (not shown${mayGoBack ? '; Enter alone: another address' : ''})`;
}

/** @throws UserError `cli_invalid_input` or `cli_key_rejected`; RequestError where the service does not say. */
async function verifyKey(context: Context, baseUrl: URL, typed: string): Promise<AcceptedKey> {
  const text = typed.trim();
  const mistake = findKeyMistake(text) ?? findMistypedPart(text);
  if (mistake !== undefined) throw new UserError('cli_invalid_input', `The API key ${mistake}.`);
  const { status, keyInfo, refusal } = await probe(context, baseUrl, { apiKey: text });
  if (status === 200) return { text, info: keyInfo };
  throw new UserError('cli_key_rejected', `${baseUrl.host} did not accept the API key.`, {
    details: [
      ...(status === 403 ? [`it says: ${refusal}`] : []),
      'Whoever runs the service can create a new one.',
    ],
  });
}

/** A key of our own service has a checksum. */
function findMistypedPart(text: string): string | undefined {
  return text.startsWith('pst_') && !isApiKey(text)
    ? 'is not complete, or has a typing mistake'
    : undefined;
}

function explainMissingKey(): UserError {
  return new UserError(
    'cli_input_required',
    'An API key is needed, and nobody can be asked here.',
    {
      details: ['with --key-stdin it is read from stdin, such as from a file'],
      try: [['petstore', 'login', '--help']],
    },
  );
}

/**
 * Stores a key in the keychain; on a computer without one, if the person agrees, in a private file from then on.
 * @returns false where the person wants neither: then only what else changes is stored.
 */
async function storeKey(
  context: Context,
  place: KeyPlace,
  key: string,
  { change, ...options }: Required<Omit<StoreOptions, 'storage'>>,
): Promise<boolean> {
  const keys = openContextKeys(context);
  let storage: KeyStorage | undefined = context.config.read().keyStorage ?? 'keychain';
  while (storage !== undefined) {
    const keyStorage = storage;
    try {
      await keys.store(place, key, {
        ...options,
        storage: keyStorage,
        change: (config) => ({ ...change(config), ...(keyStorage === 'file' && { keyStorage }) }),
      });
      return true;
    } catch (error) {
      storage = await chooseAfter(error, context);
    }
  }
  await context.config.change(change);
  return false;
}

/** What was pasted is not lost to a keychain that is locked or missing. @throws the error where nobody can help. */
async function chooseAfter(
  error: unknown,
  { terminal, prompts }: Context,
): Promise<KeyStorage | undefined> {
  if (!(error instanceof UserError) || !terminal.isInteractive) throw error;
  const isLocked = error.code === 'cli_keychain_locked';
  if (!isLocked && !['cli_keychain_absent', 'cli_keychain_unavailable'].includes(error.code))
    throw error;
  const question = isLocked
    ? 'The OS keychain is locked: unlock it and try again?'
    : `${error.message} Keep the key in a private file?`;
  if (!(await prompts.askConfirm(question, true))) return undefined;
  return isLocked ? 'keychain' : 'file';
}

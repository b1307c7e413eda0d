import type { Config, KeyStorage } from '../config/config-file.ts';
import {
  type Environment,
  findEnvironment,
  listConfiguredNames,
  setEnvironment,
} from '../config/environments.ts';
import { findKeyMistake } from '../config/key-text.ts';
import { findKeyVariable, type KeyPlace, type StoreOptions } from '../config/keys.ts';
import { isApiKey } from '../contract/api-key.ts';
import type { KeyInfo } from '../contract/headers.ts';
import { UserError } from '../errors.ts';
import { formatDate } from '../terminal/relative-time.ts';
import { askStoreName, chooseStore, describeProblem } from './choose-store.ts';
import { confirmNewOrigin } from './confirm.ts';
import { openContextKeys, probe, readEnvironmentSettings } from './connect.ts';
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

/**
 * The conversation of `login`, which first use holds too: the address, the key, and for a new address which store it is.
 * Nothing is stored before the service has accepted both. Off a terminal it takes what is given, and asks nothing.
 */
export async function signIn(context: Context, given: SignInOptions = {}): Promise<Environment> {
  const { variables, config } = context;
  const { name: environmentOption = context.options.env } = given;
  const settings = { ...readEnvironmentSettings(context), environmentOption };
  const store = await chooseStore(context, settings, given.url);
  const overriding = findKeyVariable(variables, store.name);
  warnOfVariable(context, overriding);
  const key = await acceptKey(context, store.baseUrl, given.key);
  const name = store.name ?? (await askStoreName(context, settings));
  const ownOverriding = findKeyVariable(variables, name);
  if (ownOverriding !== overriding) warnOfVariable(context, ownOverriding);
  const { baseUrl, isTyped: isMoved } = store;
  if (isMoved) await confirmNewOrigin(context, name, baseUrl);
  const isNew = !listConfiguredNames(settings).includes(name);
  const isNamed = (environmentOption ?? variables.PETSTORE_ENV ?? '') !== '';
  const selects = (config: Config) =>
    config.environment === undefined ? given.isLogin || !isNamed : given.isLogin && isNew;
  await storeKey(context, { name, baseUrl }, key.text, {
    isMoved,
    change: (config) => ({
      ...(isMoved ? setEnvironment(config, name, { url: baseUrl.href }) : config),
      ...(selects(config) && { environment: name }),
    }),
  });
  const environment = findEnvironment({ ...settings, config: config.read() }, name);
  if (environment === undefined) throw new Error(`${name} has no address after its sign-in.`);
  reportSuccess(context, environment, key);
  return environment;
}

/** Before anything is asked: a key that is stored and not used would be a riddle. */
function warnOfVariable({ terminal }: Context, variable: string | undefined): void {
  if (variable === undefined) return;
  terminal.warn('cli_overridden', `${variable} is set, and overrides the key that is stored now.`);
}

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

/** Takes the key that was given, or asks until the service accepts one. */
async function acceptKey(
  context: Context,
  baseUrl: URL,
  given: string | undefined,
): Promise<AcceptedKey> {
  if (given !== undefined) return await verifyKey(context, baseUrl, given);
  if (!context.terminal.isInteractive) throw explainMissingKey();
  let accepted: AcceptedKey | undefined;
  const text = await context.prompts.askSecret(
    `API key for ${baseUrl.host} (not shown):`,
    async (typed) => {
      try {
        accepted = await verifyKey(context, baseUrl, typed);
        return undefined;
      } catch (error) {
        return describeProblem(error);
      }
    },
  );
  return accepted ?? { text, info: undefined };
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

/** Stores a key in the keychain; on a computer without one, if the person agrees, in a private file from then on. */
async function storeKey(
  context: Context,
  place: KeyPlace,
  key: string,
  { change, ...options }: Required<Omit<StoreOptions, 'storage'>>,
): Promise<void> {
  const keys = openContextKeys(context);
  let storage: KeyStorage = context.config.read().keyStorage ?? 'keychain';
  for (;;) {
    try {
      return await keys.store(place, key, {
        ...options,
        storage,
        change: (config) => ({
          ...change(config),
          ...(storage === 'file' && { keyStorage: 'file' }),
        }),
      });
    } catch (error) {
      storage = await chooseAfter(error, context);
    }
  }
}

/** What was pasted is not lost to a keychain that is locked or missing. @throws the error where nobody can help. */
async function chooseAfter(error: unknown, { terminal, prompts }: Context): Promise<KeyStorage> {
  if (!(error instanceof UserError) || !terminal.isInteractive) throw error;
  const agrees = (question: string) => prompts.askConfirm(`${error.message} ${question}`, true);
  if (error.code === 'cli_keychain_locked' && (await agrees('Unlock it. Try again?'))) {
    return 'keychain';
  }
  if (
    ['cli_keychain_absent', 'cli_keychain_unavailable'].includes(error.code) &&
    (await agrees('Keep the key in a private file?'))
  ) {
    return 'file';
  }
  throw error;
}

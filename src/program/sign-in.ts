import { changeConfig, readConfig } from '../config/config-file.ts';
import { type Environment, findEnvironment, setEnvironment } from '../config/environments.ts';
import { findKeyVariable, type KeyPlace } from '../config/keys.ts';
import { formatDate } from '../terminal/relative-time.ts';
import { confirmNewOrigin } from './confirm-new-origin.ts';
import type { Context } from './context.ts';
import { openContextKeys } from './context-keys.ts';
import { readEnvironmentSettings } from './environment-settings.ts';
import { type AcceptedKey, acceptKey } from './sign-in/accept-key.ts';
import { askStoreName, type ChosenStore, chooseStore } from './sign-in/choose-store.ts';
import { storeKey } from './sign-in/store-key.ts';

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
  const { variables } = context;
  const { name: environmentOption = context.options.env } = given;
  const settings = { ...readEnvironmentSettings(context), environmentOption };
  const store = await chooseStore(context, settings, given.url);
  warnOfVariable(context, store.name);
  const key = await acceptKey(context, store.baseUrl, given.key);
  const name = store.name ?? (await askStoreName(context, settings));
  if (store.name === undefined) warnOfVariable(context, name);
  if (store.isTyped) await confirmNewOrigin(context, name, store.baseUrl);
  await remember(context, { ...store, name }, key.text);
  if (given.isLogin || !hasSelection(context)) {
    await changeConfig(variables, (config) => ({ ...config, environment: name }));
  }
  const environment = findEnvironment({ ...settings, config: readConfig(variables) }, name);
  if (environment === undefined) throw new Error(`${name} has no address after its sign-in.`);
  reportSuccess(context, environment, key);
  return environment;
}

/** Before anything is asked: a key that is stored and not used would be a riddle. */
function warnOfVariable({ terminal, variables }: Context, name = ''): void {
  const variable = findKeyVariable(variables, name);
  if (variable === undefined) return;
  terminal.warn('cli_overridden', `${variable} is set, and overrides the key that is stored now.`);
}

function hasSelection({ options, variables }: Context): boolean {
  const named = options.env ?? variables.PETSTORE_ENV ?? '';
  return named !== '' || readConfig(variables).environment !== undefined;
}

/** The key first: where it cannot be stored, all stays as it was. */
async function remember(
  context: Context,
  { name, baseUrl, isTyped }: ChosenStore & KeyPlace,
  key: string,
): Promise<void> {
  await storeKey(context, { name, baseUrl }, key);
  await changeConfig(context.variables, (config) =>
    setEnvironment(config, name, isTyped ? { url: baseUrl.href } : {}),
  );
  if (isTyped) await openContextKeys(context).remove(name, { exceptOrigin: baseUrl.origin });
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

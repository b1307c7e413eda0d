import { changeConfig, readConfig } from '../config/config-file.ts';
import {
  type Environment,
  type EnvironmentSettings,
  findEnvironment,
  setEnvironment,
} from '../config/environments.ts';
import { findKeyVariable, type KeyPlace } from '../config/keys.ts';
import { environmentVariable } from '../config/variables.ts';
import { formatDate } from '../terminal/relative-time.ts';
import type { Context } from './context.ts';
import { openContextKeys } from './context-keys.ts';
import { type AcceptedKey, acceptKey } from './sign-in-key.ts';
import { type ChosenStore, chooseName, chooseStore } from './sign-in-store.ts';
import { storeKey } from './store-key.ts';

/** What is known before anything is asked. */
export interface SignInOptions {
  /** As it was typed behind `--url`. */
  readonly url?: string | undefined;
  /** What stdin gave; asked for unless given. */
  readonly key?: string | undefined;
  /** In place of `--env` and what is selected. */
  readonly name?: string | undefined;
}

/**
 * The conversation of `login`, which first use holds too: the address, the key, and for a new address which store it is. Both
 * are checked against the service before anything is stored. Off a terminal it takes what is given and asks nothing.
 */
export async function signIn(context: Context, options: SignInOptions = {}): Promise<Environment> {
  const settings = readSettings(context, options);
  const store = await chooseStore(context, settings, options);
  if (store.name !== undefined) warnOfVariables(context, store.name);
  const key = await acceptKey(context, store, options.key);
  const name = store.name ?? (await chooseName(context, settings, store.baseUrl));
  if (store.name === undefined) warnOfVariables(context, name);
  await remember(context, { ...store, name }, key);
  const environment = findEnvironment({ ...settings, config: readConfig(context.variables) }, name);
  if (environment === undefined) throw new Error(`${name} was not stored.`);
  reportSuccess(context, environment, key);
  return environment;
}

function readSettings(
  { variables, options: { env } }: Context,
  { name }: SignInOptions,
): EnvironmentSettings {
  return { config: readConfig(variables), variables, environmentOption: name ?? env };
}

/** A key that is stored and not used would be a riddle. */
function warnOfVariables({ terminal, variables }: Context, name: string): void {
  const variable = findKeyVariable(variables, name);
  if (variable === undefined) return;
  const message = `${variable} is set: it overrides the key that is stored here.`;
  terminal.warn('cli_overridden', message);
}

/** The address first: without it a key has no place. Keys of another address are of no use any more. */
async function remember(
  context: Context,
  { name, baseUrl, isNew }: ChosenStore & KeyPlace,
  key: AcceptedKey,
): Promise<void> {
  if (isNew) await openContextKeys(context).remove(name);
  await changeConfig(context.variables, (config) => {
    const url = isNew ? { url: baseUrl.href } : {};
    return { ...setEnvironment(config, name, url), environment: name };
  });
  await storeKey(context, { name, baseUrl }, key.text);
}

function reportSuccess(
  { terminal }: Context,
  { name, baseUrl }: Environment,
  { info }: AcceptedKey,
): void {
  const access = info?.access === 'read' ? ' The key is read-only.' : '';
  const end = info?.expiresAt === undefined ? '' : ` It expires on ${formatDate(info.expiresAt)}.`;
  terminal.notice(`Signed in to ${name} at ${baseUrl.host}.${access}${end}`);
}

import { RequestError } from '../client/failure.ts';
import { isLoopback, parseBaseUrl } from '../config/base-url.ts';
import {
  checkEnvironmentName,
  type EnvironmentSettings,
  findEnvironment,
  listConfiguredNames,
} from '../config/environments.ts';
import { UserError } from '../errors.ts';
import type { Checked } from '../terminal/prompts.ts';
import { chooseEnvironmentName, probe } from './connect.ts';
import type { Context } from './context.ts';
import { explainUnresolved } from './next-lines.ts';

/** The store that a key is for. */
export interface ChosenStore {
  /** Undefined for a new address of which nobody has said yet which store it is. */
  readonly name: string | undefined;
  readonly baseUrl: URL;
  /** Typed just now, and so to be stored. */
  readonly isTyped: boolean;
}

/** Finds or asks which store is meant, and makes sure that a pet store responds there: a mistyped host must not be given the key. */
export async function chooseStore(
  context: Context,
  settings: EnvironmentSettings,
  url: string | undefined,
): Promise<ChosenStore> {
  const typed = url === undefined ? undefined : parseBaseUrl(url);
  const name = await chooseName(context, settings, typed);
  const baseUrl = typed ?? (name && findEnvironment(settings, name)?.baseUrl);
  if (!baseUrl) {
    introduceStore(context, name);
    return { name, baseUrl: await askAddress(context), isTyped: true };
  }
  await probe(context, baseUrl);
  return { name, baseUrl, isTyped: typed !== undefined };
}

/** What the person would call it; the built-in names belong to scripts and support. */
export async function askStoreName(
  { prompts }: Context,
  settings: EnvironmentSettings,
  baseUrl: URL,
): Promise<string> {
  const toChoice = (words: string, name: string) => {
    const now = findBaseUrl(settings, name)?.host;
    return { name: now === undefined ? words : `${words} (now ${now})`, value: name };
  };
  const choices = [
    toChoice('the real store', 'production'),
    toChoice('a store to try things in', 'staging'),
  ];
  // A store on this computer is hardly the real one.
  if (isLoopback(baseUrl)) choices.reverse();
  // Enter never replaces a store where one is free.
  const free = choices.find(({ value }) => findBaseUrl(settings, value) === undefined);
  return await prompts.askChoice('Which store is it?', choices, free?.value);
}

/** Undefined for an address of which nothing says which store it is. A name that was typed may be new. */
async function chooseName(
  context: Context,
  settings: EnvironmentSettings,
  typed: URL | undefined,
): Promise<string | undefined> {
  const named = settings.environmentOption ?? (settings.variables.PETSTORE_ENV || undefined);
  if (named !== undefined) checkEnvironmentName(named);
  if (named !== undefined || typed === undefined) {
    return await chooseEnvironmentName(context, settings);
  }
  const found = listConfiguredNames(settings).find(
    (name) => findBaseUrl(settings, name)?.href === typed.href,
  );
  if (found === undefined && !context.terminal.isInteractive) throw explainUnnamed(typed);
  return found;
}

/** Undefined for one that cannot be used, too: a sign-in is what mends it. */
function findBaseUrl(settings: EnvironmentSettings, name: string): URL | undefined {
  try {
    return findEnvironment(settings, name)?.baseUrl;
  } catch {
    return undefined;
  }
}

function introduceStore(context: Context, name: string | undefined): void {
  const { terminal } = context;
  if (!terminal.isInteractive) throw explainUnresolved(context, { kind: 'unconfigured', name });
  terminal.notice(
    `${name ?? 'petstore'} is not set up on this computer yet. Whoever runs your pet store gives you its address and an API key.`,
  );
}

/** Asks until a pet store responds. @param typed what stands in the line already. */
export async function askAddress(context: Context, typed?: string): Promise<URL> {
  const check = async (text: string) => {
    if (text.trim() === '')
      return { problem: 'Type the address, such as pets.test, or press Ctrl-C to stop.' };
    // Looked up as a host, it would leave this computer.
    if (looksLikeKey(text)) {
      const problem = 'This is an API key, which is asked for next: the address first.';
      return { problem, isDropped: true };
    }
    return await checkTyping(async () => {
      const baseUrl = parseBaseUrl(text);
      await probe(context, baseUrl);
      return baseUrl;
    });
  };
  return await context.prompts.askText('Address of your pet store', check, typed);
}

/** One of our own service, or a word that is no host: those have a dot, or are short. */
function looksLikeKey(text: string): boolean {
  return text.includes('pst_') || /^[^.:/]{20,}$|[^.:/]{64}/.test(text.trim());
}

function explainUnnamed(typed: URL): UserError {
  return new UserError('cli_usage', 'Which environment is it?', {
    details: ['--env names it: production for the real store, staging for one to try things in'],
    try: [['petstore', 'login', '--env', 'production', '--url', typed.href, '--key-stdin']],
  });
}

/** What `accept` makes of what was typed, or in words why it refuses it. @throws what is not a failure in words. */
export async function checkTyping<T>(accept: () => Promise<T>): Promise<Checked<T>> {
  try {
    return { value: await accept() };
  } catch (error) {
    if (error instanceof RequestError || error instanceof UserError)
      return { problem: error.message };
    throw error;
  }
}

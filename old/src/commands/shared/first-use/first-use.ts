import { UserError } from '../../../errors.ts';
import type { Context } from '../../../program/context/context.ts';
import { PromptClosedError } from '../../../terminal/prompts/prompt.ts';

/** What the command is about to need. */
export interface FirstUseNeeds {
  /** False for a dry run and for a login, which asks for the key itself. */
  key: boolean;
}

/**
 * Where nothing is configured, asks a person for URL and key, stores them, and lets the command go on.
 * Off a terminal it does nothing: the command fails with the lines that configure it.
 */
export async function configureFirstUse(context: Context, needs: FirstUseNeeds): Promise<void> {
  const { terminal, environments } = context;
  if (!terminal.canAsk) return;
  const { name, url } = environments.describe();
  const hasUrl = url.value !== undefined;
  if (hasUrl && (!needs.key || (await hasKey(context)))) return;
  try {
    terminal.notice(describeState(name, hasUrl), { environment: name });
    if (!hasUrl) await (await import('./ask-url.ts')).askUrl(context, name);
    if (needs.key && (hasUrl || !(await hasKey(context))))
      await (await import('./ask-key.ts')).askKey(context);
  } catch (error) {
    if (!(error instanceof PromptClosedError)) throw error;
    throw new PromptClosedError(`Stopped; ${name} is not set up yet.`, { cause: error });
  }
}

function describeState(name: string, hasUrl: boolean): string {
  return hasUrl
    ? `There is no API key for ${name} on this computer yet. You get one from whoever runs your pet store.`
    : `${name} is not set up on this computer yet. Whoever runs your pet store gives you its address (URL) and an API key.`;
}

const absent = new Set(['cli_no_key', 'cli_keychain_unavailable', 'cli_keychain_library_missing']);

/** Whether a key exists or existed; one that cannot be read is a failure of its own, which the command reports. */
async function hasKey({ keys, environments, signal }: Context): Promise<boolean> {
  const target = environments.target();
  if (keys.listVariables(target.name).length > 0) return true;
  // Also one for another origin: a mistyped URL must not be given a key.
  if (keys.stored.listEnvironments().includes(target.name)) return true;
  try {
    await keys.find(target);
    return true;
  } catch (error) {
    return signal.aborted || !(error instanceof UserError && absent.has(error.code));
  }
}

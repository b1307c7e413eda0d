import { confirmLoss } from './confirm-loss.ts';
import type { Context } from './context.ts';
import { readEnvironmentSettings } from './environment-settings.ts';

/** A stored key never goes to another origin, so a new address removes it. @throws UserError `cli_declined`. */
export async function confirmNewOrigin(
  context: Context,
  name: string,
  { origin, host }: URL,
): Promise<void> {
  const { keys = {} } = readEnvironmentSettings(context).config.environments?.[name] ?? {};
  const lost = Object.keys(keys).filter((stored) => stored !== origin);
  if (lost.length === 0) return;
  const hosts = lost.map((stored) => new URL(stored).host).join(', ');
  await confirmLoss(
    context,
    `The stored key of ${name} is for ${hosts}, not for ${host}. Change the address and remove the key?`,
    'Stopped; nothing was changed.',
  );
}

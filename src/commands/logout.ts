import type { Command } from 'commander';
import { findSelectedName, listConfiguredNames, requireKnown } from '../config/environments.ts';
import { findKeyVariable } from '../config/keys.ts';
import { confirmLoss } from '../program/confirm.ts';
import { openContextKeys, readEnvironmentSettings, warnOfVariable } from '../program/connect.ts';
import type { Context, RunAction } from '../program/context.ts';
import { describeCommand } from '../program/help.ts';

export function declare(command: Command, run: RunAction): void {
  describeCommand(command, {
    sentence: 'Remove the stored API key of an environment from this computer.',
    examples: ['petstore logout', 'petstore logout --env staging'],
    also: '-e, --no-input, -q',
  }).action(run(logout));
}

async function logout(context: Context): Promise<void> {
  const { terminal } = context;
  const settings = readEnvironmentSettings(context);
  // A key may be stored for an environment whose address is gone, or cannot be used.
  const selected = findSelectedName(settings);
  if (selected !== undefined) requireKnown(settings, selected);
  // Where nothing is set up, nothing is asked for only to be removed.
  if (selected === undefined && listConfiguredNames(settings).length === 0)
    return terminal.notice('No key is stored.');
  const name = selected ?? (await context.findEnvironment()).name;
  const { keys = {} } = settings.config.environments?.[name] ?? {};
  if (Object.keys(keys).length > 0) {
    await confirmLoss(
      context,
      `Remove the stored key for ${name}? You need the key itself to log in again.`,
    );
  }
  const wasStored = await openContextKeys(context).remove(name);
  terminal.notice(wasStored ? `Removed the key for ${name}.` : `No key for ${name} was stored.`);
  const variable = findKeyVariable(context.variables, name);
  warnOfVariable(context, variable, `still gives ${name} a key`);
}

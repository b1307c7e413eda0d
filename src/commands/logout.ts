import type { Command } from 'commander';
import { resolveEnvironment } from '../config/environments.ts';
import { UserError } from '../errors.ts';
import type { RunAction } from '../program/command.ts';
import type { Context } from '../program/context.ts';
import { openContextKeys } from '../program/context-keys.ts';
import { readEnvironmentSettings } from '../program/environment-settings.ts';
import { alsoOptions, describeCommand } from '../program/help.ts';

export function declare(command: Command, run: RunAction): void {
  describeCommand(command, {
    sentence: 'Remove the stored API key of an environment from this computer.',
    examples: ['petstore logout', 'petstore logout --env staging'],
    also: alsoOptions.local,
  }).action(run(logout));
}

async function logout(context: Context): Promise<void> {
  const { terminal, prompts } = context;
  // Where nothing is set up, nothing is asked for only to be removed.
  const { kind } = resolveEnvironment(readEnvironmentSettings(context));
  if (kind === 'unconfigured') return terminal.notice('No key is stored.');
  const { name } = await context.findEnvironment();
  const question = `Remove the stored key for ${name}? Another login needs the key itself.`;
  if (terminal.isInteractive && !(await prompts.askConfirm(question, false))) {
    throw new UserError('cli_declined', 'Stopped; nothing was removed.');
  }
  const wasStored = await openContextKeys(context).remove(name);
  terminal.notice(wasStored ? `Removed the key for ${name}.` : `No key for ${name} was stored.`);
}

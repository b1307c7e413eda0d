import { changeConfig } from '../../config/config-file.ts';
import { removeEnvironment as forget, requireKnown } from '../../config/environments.ts';
import { environmentVariable } from '../../config/variables.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context.ts';
import { openContextKeys } from '../../program/context-keys.ts';
import { readEnvironmentSettings } from '../../program/environment-settings.ts';

export async function removeEnvironment(context: Context, name: string): Promise<void> {
  const { terminal, prompts, variables } = context;
  requireKnown(readEnvironmentSettings(context), name);
  const question = `Remove the address and the stored key of ${name} from this computer?`;
  if (terminal.isInteractive && !(await prompts.askConfirm(question, false))) {
    throw new UserError('cli_declined', 'Stopped; nothing was removed.');
  }
  // First, because a locked keychain keeps its keys: then all stays as it was.
  await openContextKeys(context).remove(name);
  await changeConfig(variables, (config) => forget(config, name));
  terminal.notice(`Removed ${name}.`);
  const variable = environmentVariable(name, 'URL');
  if (variables[variable]) {
    terminal.warn('cli_overridden', `${variable} is set, and still gives ${name} an address.`);
  }
}

import { changeConfig } from '../../config/config-file.ts';
import { removeEnvironment as forget, requireKnown } from '../../config/environments.ts';
import { environmentVariable } from '../../config/variables.ts';
import { confirmLoss } from '../../program/confirm.ts';
import { openContextKeys, readEnvironmentSettings } from '../../program/connect.ts';
import type { Context } from '../../program/context.ts';

export async function removeEnvironment(context: Context, name: string): Promise<void> {
  const { terminal, variables } = context;
  requireKnown(readEnvironmentSettings(context), name);
  await confirmLoss(
    context,
    `Remove the address and the stored key of ${name} from this computer?`,
  );
  // First, because a locked keychain keeps its keys: then all stays as it was.
  await openContextKeys(context).remove(name);
  await changeConfig(variables, (config) => forget(config, name));
  terminal.notice(`Removed ${name}.`);
  const variable = environmentVariable(name, 'URL');
  if (variables[variable]) {
    terminal.warn('cli_overridden', `${variable} is set, and still gives ${name} an address.`);
  }
}

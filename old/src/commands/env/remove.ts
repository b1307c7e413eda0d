import {
  type ConfigFile,
  changeConfigFile,
  readConfigFile,
} from '../../config/files/config-file.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { confirmUnprotecting } from './confirm-unprotecting.ts';

/** Staging and production always exist; of them only the settings go. */
export async function removeEnvironment(
  context: Context,
  { name }: { name: string },
): Promise<void> {
  const { environments, keys, paths, terminal } = context;
  const { url } = environments.describe(name);
  if (url.source.kind === 'variable') {
    throw new UserError('cli_usage', `${name} has its URL from ${url.source.name}`, {
      details: ['unset that variable first, or this environment would still be there'],
    });
  }
  const words = ['petstore', 'env', 'remove', name];
  const remove = (before: ConfigFile): ConfigFile => {
    const after = withoutEnvironment(before, name);
    confirmUnprotecting(context, { name, before, after, words });
    return after;
  };
  remove(readConfigFile(paths.configFile));
  await keys.stored.remove(name);
  await changeConfigFile(paths.configFile, remove);
  terminal.notice(`Removed ${name} and its keys.`, { environment: name });
  const { value, source } = environments.selected();
  if (value === name && source.kind === 'config') {
    const next = environments.withConfig(readConfigFile(paths.configFile)).selected().value;
    terminal.warn(`It was the environment in use; now it is ${next}.`);
  }
}

function withoutEnvironment(
  { environment, temporary, environments: all, ...config }: ConfigFile,
  name: string,
): ConfigFile {
  const { [name]: _, ...others } = all ?? {};
  return {
    ...config,
    ...(environment !== undefined && environment !== name && { environment }),
    ...(temporary !== undefined && temporary.environment !== name && { temporary }),
    environments: others,
  };
}

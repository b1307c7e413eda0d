import { changeConfigFile } from '../../config/files/config-file.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';

/** Staging and production always exist; of them only the settings go. */
export async function removeEnvironment(
  { environments, keys, paths, terminal }: Context,
  { name }: { name: string },
): Promise<void> {
  const { url } = environments.describe(name);
  if (url.source.kind === 'variable') {
    throw new UserError('cli_usage', `${name} has its URL from ${url.source.name}`, {
      details: ['unset that variable first, or this environment would still be there'],
    });
  }
  await keys.stored.remove(name);
  await changeConfigFile(paths.configFile, ({ environment, environments: all, ...config }) => {
    const { [name]: _, ...others } = all ?? {};
    const isUsed = environment === undefined || environment === name;
    return { ...config, ...(!isUsed && { environment }), environments: others };
  });
  terminal.notice(`Removed ${name} and its keys.`, { environment: name });
  const { value, source } = environments.selected();
  if (value === name && source.kind === 'config') {
    terminal.warn('It was the environment in use; now it is staging.');
  }
}

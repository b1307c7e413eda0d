import { changeConfigFile } from '../../config/files/config-file.ts';
import { describeSource } from '../../config/settings/setting.ts';
import type { Context } from '../../program/context/context.ts';

export async function useEnvironment(
  { environments, paths, terminal }: Context,
  options: { name: string },
): Promise<void> {
  const { name, protected: isProtected } = environments.describe(options.name);
  await changeConfigFile(paths.configFile, (config) => ({ ...config, environment: name }));
  const hint = isProtected.value ? ' It is protected: a write to it must still name it.' : '';
  terminal.notice(`Using ${name} from now on.${hint}`, { environment: name });
  const { source, value } = environments.selected();
  if (source.kind !== 'config' && source.kind !== 'default' && value !== name) {
    terminal.warn(`For now ${describeSource(source)} selects ${value} instead.`);
  }
}

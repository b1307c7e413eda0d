import { changeConfigFile } from '../../config/config-file.ts';
import { describeSource } from '../../config/setting.ts';
import type { Context } from '../context.ts';

export async function chooseEnvironment(
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

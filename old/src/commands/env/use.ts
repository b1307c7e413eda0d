import { type ConfigFile, changeConfigFile } from '../../config/files/config-file.ts';
import { describeSource } from '../../config/settings/setting.ts';
import type { Context } from '../../program/context/context.ts';
import { formatUntil } from '../../terminal/text/time.ts';

export interface UseOptions {
  name: string;
  /** Milliseconds. */
  for?: number;
}

/** Remembers an environment, for good or until a time, after which the one before is used again. */
export async function useEnvironment(context: Context, options: UseOptions): Promise<void> {
  const { environments, paths, terminal, clock } = context;
  const { name, protected: isProtected } = environments.describe(options.name);
  const now = clock();
  const until = options.for === undefined ? undefined : new Date(now.getTime() + options.for);
  let written: ConfigFile = {};
  await changeConfigFile(paths.configFile, ({ temporary: _, ...config }) => {
    written =
      until === undefined
        ? { ...config, environment: name }
        : { ...config, temporary: { environment: name, until: until.toISOString() } };
    return written;
  });
  const then = environments.withConfig(written);
  const { source, value } = then.selected();
  const period = until === undefined ? 'from now on' : `until ${formatUntil(until, now)}`;
  const hint = isProtected.value ? ' It is protected: a write to it must still name it.' : '';
  terminal.notice(`Using ${name} ${period}.${hint}`, {
    environment: name,
    ...(until && { until: until.toISOString() }),
  });
  if (value !== name) terminal.warn(`For now ${describeSource(source)} selects ${value} instead.`);
}

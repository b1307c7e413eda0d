import { readConfig } from '../config/config-file.ts';
import type { EnvironmentSettings } from '../config/environments.ts';
import type { Variables } from '../config/variables.ts';
import type { GlobalOptions } from './options.ts';

/** What environments are resolved from, as it is now. */
export function readEnvironmentSettings(run: {
  readonly variables: Variables;
  readonly options: GlobalOptions;
}): EnvironmentSettings {
  const { variables, options } = run;
  return { config: readConfig(variables), variables, environmentOption: options.env };
}

import { requestDefaults } from '../../client/retry-rules.ts';
import {
  type ExplainedSetting,
  type ExplainInput,
  explainSettings,
} from '../../config/settings/explain-settings.ts';
import { readTerminalSettings } from '../../config/settings/terminal-settings.ts';
import { describeLimits, type GlobalOptions } from '../global-options.ts';

type Input = Pick<ExplainInput, 'environments' | 'keys' | 'variables' | 'format'>;

/** Every setting of this run, for the selected environment unless one is named. */
export function explain(
  input: Input,
  options: GlobalOptions,
  environment: string | undefined,
): ExplainedSetting[] {
  const terminal = readTerminalSettings(input.variables, options);
  const limits = { given: describeLimits(options), defaults: describeLimits(requestDefaults) };
  return explainSettings({ ...input, terminal, limits }, environment);
}

import { readTerminalSettings } from '../../config/settings/terminal-settings.ts';
import { listKeyValues } from '../../config/variables.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';
import { createRedactor, type Redactor } from '../../terminal/text/redactor.ts';
import { type GlobalOptions, toVerbosity } from '../global-options.ts';
import type { Host } from '../host.ts';

/** The terminal as the environment and the options want it; alone, for failures that come before there is a context. */
export function openTerminal(
  host: Host,
  options: GlobalOptions,
  format: Terminal['format'],
): Terminal {
  const screen = readTerminalSettings(host.variables, options);
  return createTerminal({
    get stdin() {
      return host.stdin;
    },
    get stdout() {
      return host.stdout;
    },
    get stderr() {
      return host.stderr;
    },
    redactor: createVariablesRedactor(host.variables),
    format,
    color: screen.color.value,
    columns: screen.columns.value,
    isQuiet: options.quiet ?? false,
    verbosity: toVerbosity(options.verbose),
    isUnattended: screen.noInput.value,
  });
}

/** Keys in variables are secret from the first word on: a key typed in the wrong place is repeated by the error. */
function createVariablesRedactor(variables: Host['variables']): Redactor {
  const redactor = createRedactor();
  for (const key of listKeyValues(variables)) redactor.keepSecret(key.trim());
  return redactor;
}

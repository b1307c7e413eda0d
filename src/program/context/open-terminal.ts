import { readTerminalSettings } from '../../config/settings/terminal-settings.ts';
import { listKeyValues } from '../../config/variables.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';
import { createRedactor, type Redactor } from '../../terminal/text/redactor.ts';
import { type GlobalOptions, toVerbosity } from '../global-options.ts';
import type { Host } from '../host.ts';

/** The terminal as the variables and the options want it. */
export function openTerminal(
  host: Host,
  options: GlobalOptions,
  format: Terminal['format'],
): Terminal {
  const settings = readTerminalSettings(host.variables, options);
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
    color: settings.color.value,
    columns: settings.columns.value,
    isQuiet: options.quiet ?? false,
    verbosity: toVerbosity(options.verbose),
    isUnattended: settings.noInput.value,
  });
}

/** Keys in variables are secret from the first word on: a key typed in the wrong place is repeated by the error. */
function createVariablesRedactor(variables: Host['variables']): Redactor {
  const redactor = createRedactor();
  for (const key of listKeyValues(variables)) redactor.addSecret(key.trim());
  return redactor;
}

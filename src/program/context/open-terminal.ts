import { readTerminalSettings } from '../../config/settings/terminal-settings.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';
import type { Redactor } from '../../terminal/text/redactor.ts';
import { type GlobalOptions, toVerbosity } from '../global-options.ts';
import type { Host } from '../host.ts';

/** The terminal as the variables and the options want it. */
export function openTerminal(
  host: Host,
  options: GlobalOptions,
  redactor: Redactor,
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
    redactor,
    format,
    color: settings.color.value,
    columns: settings.columns.value,
    isQuiet: options.quiet ?? false,
    verbosity: toVerbosity(options.verbose),
    isUnattended: settings.noInput.value,
  });
}

import { readScreenSettings } from '../config/screen-settings.ts';
import { createRedactor, type Redactor } from '../terminal/redactor.ts';
import { createTerminal, type Terminal } from '../terminal/terminal.ts';
import type { Edges } from './edges.ts';
import { type GlobalOptions, toVerbosity } from './global-options.ts';

/** The terminal as the environment and the options want it; alone, for failures that come before there is a context. */
export function openTerminal(
  edges: Edges,
  options: GlobalOptions,
  format: Terminal['format'],
): Terminal {
  const screen = readScreenSettings(edges.variables, options);
  return createTerminal({
    get stdin() {
      return edges.stdin;
    },
    get stdout() {
      return edges.stdout;
    },
    get stderr() {
      return edges.stderr;
    },
    redactor: createVariablesRedactor(edges.variables),
    format,
    color: screen.color.value,
    columns: screen.columns.value,
    isQuiet: options.quiet ?? false,
    verbosity: toVerbosity(options.verbose),
    isUnattended: screen.noInput.value,
  });
}

/** Keys in variables are secret from the first word on: a key typed in the wrong place is repeated by the error. */
function createVariablesRedactor(variables: Edges['variables']): Redactor {
  const redactor = createRedactor();
  for (const [name, value] of Object.entries(variables)) {
    if (value && /^PETSTORE_(\w+_)?API_KEY$/.test(name)) redactor.keepSecret(value.trim());
  }
  return redactor;
}

import { readTerminalSettings } from '../../config/settings/terminal-settings.ts';
import { environmentVariables, listKeyValues, readVariable } from '../../config/variables.ts';
import { type OutputFormat, outputFormats } from '../../contract/output-formats.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';
import { createRedactor, type Redactor } from '../../terminal/text/redactor.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Host } from './context.ts';

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
    verbosity: options.verbose ?? 0,
    isUnattended: settings.noInput.value,
  });
}

/** Keys in variables are secret from the first word on: a key typed in the wrong place is repeated by the error. */
function createVariablesRedactor(variables: Host['variables']): Redactor {
  const redactor = createRedactor();
  for (const key of listKeyValues(variables)) redactor.addSecret(key.trim());
  return redactor;
}

/** The terminal for help, and for failures before the options are known. */
export function openEarlyTerminal(host: Host, argv: readonly string[]): Terminal {
  const variable = readVariable(environmentVariables.output, host.variables);
  return openTerminal(host, {}, guessFormat(argv, variable?.value));
}

/** The format that a line which may not even parse seems to want, so that its error arrives in that format. */
function guessFormat(argv: readonly string[], variable: string | undefined): OutputFormat {
  const words = argv.map((word, index) => {
    if (word === '-o' || word === '--output') return argv[index + 1];
    return /^(?:--output=|-o|--(?=json$|ndjson$|csv$))(.+)$/.exec(word)?.[1];
  });
  const isFormat = (word: string | undefined) => outputFormats.some((format) => format === word);
  const guess = [...words, variable].find(isFormat);
  return outputFormats.find((format) => format === guess) ?? 'table';
}

import { readTerminalSettings } from '../../config/settings/terminal-settings.ts';
import { environmentVariables, listKeyValues, readVariable } from '../../config/variables.ts';
import { type OutputFormat, outputFormats, shortFormats } from '../../contract/output-formats.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';
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
    // From the first word on: a key typed in the wrong place is repeated by the error.
    secrets: listKeyValues(host.variables).map((key) => key.trim()),
    format,
    color: settings.color.value,
    columns: settings.columns.value,
    isQuiet: options.quiet ?? false,
    verbosity: options.verbose ?? 0,
    isAccessible: settings.isAccessible,
    isUnattended: settings.noInput.value,
  });
}

/** The terminal for help, and for failures before the options are known. */
export function openEarlyTerminal(host: Host, argv: readonly string[]): Terminal {
  const variable = readVariable(environmentVariables.output, host.variables);
  return openTerminal(host, {}, guessFormat(argv, variable?.value));
}

/** The format that a line which may not even parse seems to want, so that its error arrives in that format. */
export function guessFormat(argv: readonly string[], variable?: string): OutputFormat {
  const words = argv.map((word, index) => {
    if (word === '-o' || word === '--output') return argv[index + 1];
    const short = shortFormats.find((format) => word === `--${format}`);
    return short ?? /^(?:--output=|-o)(.+)$/.exec(word)?.[1];
  });
  const isFormat = (word: string | undefined) => outputFormats.some((format) => format === word);
  const guess = [...words, variable].find(isFormat);
  return outputFormats.find((format) => format === guess) ?? 'table';
}

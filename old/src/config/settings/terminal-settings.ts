import { type OutputFormat, outputFormats } from '../../contract/output-formats.ts';
import { didYouMean, UserError } from '../../errors.ts';
import {
  type ColorChoice,
  environmentVariables,
  readVariable,
  type Variables,
} from '../variables.ts';
import { candidate, describeSource, resolveSetting, type Setting } from './setting.ts';

/** What flags and variables say about terminals and prompts, before streams are looked at. */
export interface TerminalSettings {
  /** `always` and `never` are orders; `auto` leaves it to the stream. */
  color: Setting<ColorChoice>;
  /** The width of tables, when the terminal does not decide it. */
  columns: Setting<number | undefined>;
  /** Nobody can be asked: `--no-input`, or an automated build. */
  noInput: Setting<boolean>;
  /** Nothing that was printed is drawn again: for screen readers. */
  isAccessible: boolean;
  /** Whether errors show their stack. */
  isDebugging: boolean;
}

export interface TerminalFlags {
  color?: ColorChoice;
  /** False for `--no-input`. */
  input?: boolean;
}

export function readTerminalSettings(
  variables: Variables,
  flags: TerminalFlags = {},
): TerminalSettings {
  const { forceColor, noColor, term, columns, ci, accessible, debug } = environmentVariables;
  return {
    color: resolveSetting<ColorChoice>(
      [
        candidate(flags.color, { kind: 'flag', name: '--color' }),
        readVariable(forceColor, variables),
        readVariable(noColor, variables),
        readVariable(term, variables),
      ],
      'auto',
    ),
    columns: resolveSetting<number | undefined>([readVariable(columns, variables)], undefined),
    noInput: resolveSetting<boolean>(
      [
        candidate(flags.input === false || undefined, { kind: 'flag', name: '--no-input' }),
        readVariable(ci, variables),
      ],
      false,
    ),
    isAccessible: readVariable(accessible, variables) !== undefined,
    isDebugging: readVariable(debug, variables) !== undefined,
  };
}

export interface OutputInput {
  /** The value of `--output`, and the flag as typed. */
  flag: { name: string; value: string } | undefined;
  variables: Variables;
  configFile: string;
  readConfig(): { output?: OutputFormat };
}

/** The output format by precedence. @throws UserError naming where an unknown format came from. */
export function resolveFormat(input: OutputInput): Setting<OutputFormat> {
  const { flag, variables, configFile } = input;
  const setting = resolveSetting<string>(
    [
      candidate(flag?.value, { kind: 'flag', name: flag?.name ?? '--output' }),
      readVariable(environmentVariables.output, variables),
      candidate(input.readConfig().output, { kind: 'config', path: configFile, member: 'output' }),
    ],
    'table',
  );
  const value = outputFormats.find((format) => format === setting.value);
  if (value === undefined) throw refuseFormat(setting);
  const overridden = setting.overridden.flatMap(({ value: text, source }) => {
    const known = outputFormats.find((format) => format === text);
    return known === undefined ? [] : [{ value: known, source }];
  });
  return { value, source: setting.source, overridden };
}

function refuseFormat({ value, source }: Setting<string>): UserError {
  return new UserError(
    'cli_usage',
    `${describeSource(source)}: ${JSON.stringify(value)} is not an output format.${didYouMean(value, outputFormats)}`,
    { details: [`formats: ${outputFormats.join(', ')}`], next: ['petstore help output'] },
  );
}

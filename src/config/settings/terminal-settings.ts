import {
  type ColorChoice,
  environmentVariables,
  readVariable,
  type Variables,
} from '../variables.ts';
import { candidate, resolveSetting, type Setting } from './setting.ts';

/** What flags and variables say about terminals and prompts, before streams are looked at. */
export interface TerminalSettings {
  /** `always` and `never` are orders; `auto` leaves it to the stream. */
  color: Setting<ColorChoice>;
  /** The width of tables, when the terminal does not decide it. */
  columns: Setting<number | undefined>;
  /** Nobody can be asked: `--no-input`, or an automated build. */
  noInput: Setting<boolean>;
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
  const { forceColor, noColor, term, columns, ci, debug } = environmentVariables;
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
    isDebugging: readVariable(debug, variables) !== undefined,
  };
}

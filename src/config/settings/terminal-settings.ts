import type { Variables } from '../files/paths.ts';
import { candidate, resolveSetting, type Setting } from './setting.ts';

type ColorChoice = 'auto' | 'always' | 'never';

/** What flags and variables say about screens and people, before streams are looked at. */
export interface TerminalSettings {
  /** `always` and `never` are wishes; `auto` leaves it to the stream. */
  color: Setting<ColorChoice>;
  /** The width that `COLUMNS` asks for. */
  columns: Setting<number | undefined>;
  /** Nobody is there to answer: `--no-input`, or an automated build. */
  noInput: Setting<boolean>;
  /** Stack traces wanted (`PETSTORE_DEBUG`). */
  isDebugging: boolean;
}

export interface ScreenFlags {
  color?: ColorChoice;
  /** False for `--no-input`. */
  input?: boolean;
}

export function readTerminalSettings(
  variables: Variables,
  flags: ScreenFlags = {},
): TerminalSettings {
  const variable = <T>(name: string, value: T | undefined) =>
    candidate(value, { kind: 'variable', name });
  const { FORCE_COLOR, NO_COLOR, TERM, COLUMNS, CI } = variables;
  const columns = Number(COLUMNS);
  return {
    // FORCE_COLOR beats NO_COLOR as it does in Node itself; NO_COLOR counts when not empty (no-color.org).
    color: resolveSetting<ColorChoice>(
      [
        candidate(flags.color, { kind: 'flag', name: '--color' }),
        variable('FORCE_COLOR', readForceColor(FORCE_COLOR)),
        variable('NO_COLOR', NO_COLOR ? 'never' : undefined),
        variable('TERM', TERM === 'dumb' ? 'never' : undefined),
      ],
      'auto',
    ),
    columns: resolveSetting<number | undefined>(
      [variable('COLUMNS', Number.isInteger(columns) && columns > 0 ? columns : undefined)],
      undefined,
    ),
    noInput: resolveSetting<boolean>(
      [
        candidate(flags.input === false || undefined, { kind: 'flag', name: '--no-input' }),
        variable('CI', isOn(CI) || undefined),
      ],
      false,
    ),
    isDebugging: isOn(variables.PETSTORE_DEBUG),
  };
}

function readForceColor(value: string | undefined): ColorChoice | undefined {
  if (value === undefined) return undefined;
  return value === '0' || value === 'false' ? 'never' : 'always';
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

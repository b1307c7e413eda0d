import type { Variables } from './paths.ts';

/** What the environment says about screens and people, before flags and streams are looked at. */
export interface ScreenSettings {
  /** `always` and `never` are wishes; `auto` leaves it to the stream. */
  color: 'auto' | 'always' | 'never';
  /** The width that `COLUMNS` asks for. */
  columns: number | undefined;
  /** An automated build: nobody is there to answer. */
  isAutomated: boolean;
  /** Stack traces wanted (`PETSTORE_DEBUG`). */
  isDebugging: boolean;
}

export function readScreenSettings(variables: Variables): ScreenSettings {
  const columns = Number(variables.COLUMNS);
  return {
    color: readColor(variables),
    columns: Number.isInteger(columns) && columns > 0 ? columns : undefined,
    isAutomated: isOn(variables.CI),
    isDebugging: isOn(variables.PETSTORE_DEBUG),
  };
}

/** FORCE_COLOR beats NO_COLOR as it does in Node itself; NO_COLOR counts when not empty (no-color.org). */
function readColor({ FORCE_COLOR, NO_COLOR, TERM }: Variables): ScreenSettings['color'] {
  if (FORCE_COLOR !== undefined)
    return FORCE_COLOR === '0' || FORCE_COLOR === 'false' ? 'never' : 'always';
  return NO_COLOR || TERM === 'dumb' ? 'never' : 'auto';
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

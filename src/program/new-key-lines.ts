import type { FoundKey } from '../config/keys.ts';
import { unsetLine } from '../config/variables.ts';

/** The lines that mend a key that is not accepted: another login does nothing while a variable overrides it. */
export function listNewKeyLines(environment: string, key: FoundKey | undefined): string[] {
  const variable = key?.variable;
  return [variable === undefined ? `petstore login --env ${environment}` : unsetLine(variable)];
}

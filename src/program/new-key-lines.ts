import type { FoundKey } from '../config/keys.ts';

/** The lines that mend a key that is not accepted: another login does nothing while a variable overrides it. */
export function listNewKeyLines(environment: string, key: FoundKey | undefined): string[] {
  const variable = key?.variable;
  if (variable === undefined) return [`petstore login --env ${environment}`];
  return [process.platform === 'win32' ? `Remove-Item Env:${variable}` : `unset ${variable}`];
}

import { environmentVariables, readVariable, type Variables } from '../variables.ts';
import { candidate, resolveSetting, type Setting } from './setting.ts';

export interface HistoryFlags {
  /** False for `--no-history`. */
  history?: boolean;
}

/** Whether adds and imports are recorded on this machine. */
export function resolveHistory(variables: Variables, flags: HistoryFlags): Setting<boolean> {
  const flag = flags.history === false ? false : undefined;
  return resolveSetting<boolean>(
    [
      candidate(flag, { kind: 'flag', name: '--no-history' }),
      readVariable(environmentVariables.history, variables),
    ],
    true,
  );
}

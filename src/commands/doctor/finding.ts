import { UserError } from '../../errors.ts';

/** `fail`: commands cannot work. `warn`: they can, but something may surprise. */
type State = 'pass' | 'warn' | 'fail';

/** What one check found. */
export interface Finding {
  state: State;
  message: string;
  /** Where and why. */
  details?: readonly string[];
  /** Command lines, or other advice. */
  next?: readonly string[];
  /** The error that a command would end with. */
  failure?: unknown;
}

export interface CheckResult extends Finding {
  check: string;
}

export function pass(message: string): Finding {
  return { state: 'pass', message };
}

export function warn(message: string, ...next: string[]): Finding {
  return { state: 'warn', message, next };
}

export function fail(message: string, ...next: string[]): Finding {
  return { state: 'fail', message, next };
}

/** The error of a failed check that no command would end with. */
export function toFailure({ message, next = [] }: Finding): UserError {
  return new UserError('cli_invalid_config', message, { next });
}

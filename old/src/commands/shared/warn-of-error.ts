import type { UserError } from '../../errors.ts';
import { isMachineFormat, type Terminal } from '../../terminal/terminal.ts';

/** Reports an error that does not end the command: its message, below it where, why and what to do. */
export function warnOfError(
  terminal: Terminal,
  { message, details, next }: UserError,
  environment?: string,
): void {
  const lines = [...details, ...next.map((line) => `Try: ${line}`)];
  terminal.warn(message, { ...(environment && { environment }), details: lines });
  if (isMachineFormat(terminal.format)) return;
  for (const line of lines) terminal.warn(`  ${line}`);
}

import type { Context } from '../../program/context/context.ts';
import { formatOption, formatShellLine } from '../../terminal/text/shell-line.ts';

/** The line that shows whether a pet of this name is there. */
export function formatLookUp({ environments }: Context, name: string): string {
  const words = ['petstore', 'list', '--env', environments.target().name, '--all'];
  return formatShellLine([...words, ...formatOption('--name', name)]);
}

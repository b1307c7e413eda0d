import type { Context } from '../../program/context/context.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';
import type { CheckedImport } from './checked-import.ts';

/** The words of this import without environment and confirmation, ready to be repeated. */
export function rerunWords({ file, options }: CheckedImport, flag?: 'resume' | 'fresh'): string[] {
  return [
    'petstore',
    'import',
    // A spooled file stands in for stdin, which nobody can read again.
    file.path,
    ...(options.format === undefined ? [] : ['--format', options.format]),
    ...(options.rejects === undefined ? [] : ['--rejects', options.rejects]),
    ...(flag === undefined ? [] : [`--${flag}`]),
  ];
}

/** The command line that goes on with this import, or begins it anew, in the same environment. */
export function formatImportLine(
  { environments, options }: Context,
  checked: CheckedImport,
  flag: 'resume' | 'fresh',
): string {
  const confirmation = options.confirm === undefined ? [] : ['--confirm', options.confirm];
  const words = rerunWords(checked, flag);
  return formatShellLine([...words, '--env', environments.target().name, ...confirmation]);
}

import type { Context } from '../../program/context/context.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';
import type { ImportPlan } from './plan-import.ts';

/** The words of this import without environment and confirmation, ready to be repeated. */
export function rerunWords({ options, file, subject }: ImportPlan, flag?: 'resume' | 'fresh') {
  const { format, rejects } = options;
  const rejectsWords = rejects === undefined ? [] : ['--rejects', toFileWord(rejects)];
  // Nobody can read a stream again, but its rows are staged.
  if (file === undefined && flag !== 'fresh')
    return ['petstore', 'import', ...rejectsWords, '--resume', subject.id];
  return [
    ...['petstore', 'import', toFileWord(file ?? subject.path ?? '-')],
    ...(format === undefined ? [] : ['--format', format]),
    ...rejectsWords,
    ...(flag === undefined ? [] : [`--${flag}`]),
  ];
}

/** The command line that resumes this import, or adds everything again, in the same environment. */
export function formatImportLine(
  { environments, options }: Context,
  plan: ImportPlan,
  flag: 'resume' | 'fresh',
): string {
  const confirmation = options.confirm === undefined ? [] : ['--confirm', options.confirm];
  const words = rerunWords(plan, flag);
  return formatShellLine([...words, '--env', environments.target().name, ...confirmation]);
}

/** The command line that imports a file of rejected rows where they were rejected. */
export function formatRejectsLine({ environments, options }: Context, rejects: string): string {
  const confirmation = options.confirm === undefined ? [] : ['--confirm', options.confirm];
  const target = ['--env', environments.target().name, ...confirmation];
  return formatShellLine(['petstore', 'import', ...target, toFileWord(rejects)]);
}

/** A name that starts with a hyphen would be taken for an option. */
function toFileWord(file: string): string {
  return file.startsWith('-') && file !== '-' ? `./${file}` : file;
}

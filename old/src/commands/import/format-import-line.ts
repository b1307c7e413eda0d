import type { Context } from '../../program/context/context.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';
import { listTargetWords } from '../shared/target.ts';
import type { ImportPlan } from './plan/plan-import.ts';

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

/** The command line that imports this file, resumes that, or adds everything again, in the same environment. */
export function formatImportLine(
  context: Context,
  plan: ImportPlan,
  flag?: 'resume' | 'fresh',
): string {
  return formatShellLine([...rerunWords(plan, flag), ...listTargetWords(context)]);
}

/** The command line that imports a file of rejected rows where they were rejected. */
export function formatRejectsLine(context: Context, rejects: string): string {
  return formatShellLine(['petstore', 'import', ...listTargetWords(context), toFileWord(rejects)]);
}

/** A name that starts with a hyphen would be taken for an option. */
export function toFileWord(file: string): string {
  return file.startsWith('-') && file !== '-' ? `./${file}` : file;
}

import { UserError } from '../../../errors.ts';
import {
  type ImportInput,
  openFileInput,
  openStreamInput,
} from '../../../import/read/open-input.ts';
import { findSimilarFile } from '../../../import/read/similar-file.ts';
import type { Context } from '../../../program/context/context.ts';
import { shellOf } from '../../../shell.ts';
import { formatShellLine } from '../../../terminal/text/shell-line.ts';
import { toFileWord } from '../format-import-line.ts';
import type { ImportCommandOptions } from './plan-import.ts';

/**
 * Either what to read, or the id of an import whose rows were read before.
 * `--resume` takes an id, but `import --resume delivery.csv` means the file.
 */
export function chooseInput({ file, resume }: ImportCommandOptions) {
  const named = typeof resume === 'string' ? resume : undefined;
  if (file !== undefined && named !== undefined)
    throw new UserError('cli_usage', `import reads one file, but ${named} and ${file} are given`);
  const only = file ?? named;
  if (only === undefined) {
    throw new UserError('cli_usage', 'import needs a file, or - for stdin', {
      next: ['petstore import delivery.csv'],
    });
  }
  if (only === file || !/^[0-9a-f]{16}$/.test(only)) return { file: only };
  return { id: only };
}

/** The error for a file that is not there, with the one that was probably meant. */
export async function refuseMissing(
  { options }: Context,
  file: string,
  { dryRun }: ImportCommandOptions,
): Promise<UserError> {
  const similar = await findSimilarFile(file);
  const message = `There is no file ${file}`;
  if (similar === undefined) return new UserError('cli_file', message);
  const words = [
    ...['petstore', 'import', toFileWord(similar)],
    ...(dryRun ? ['--dry-run'] : []),
    ...(options.env === undefined ? [] : ['--env', options.env]),
  ];
  return new UserError('cli_file', `${message}. Did you mean ${similar}?`, {
    next: [formatShellLine(words)],
  });
}

export async function openInput(
  { terminal, stdin, signal }: Context,
  file: string,
  { format }: ImportCommandOptions,
): Promise<ImportInput | undefined> {
  if (file === '-' && stdin.isTTY) {
    throw new UserError('cli_input_required', 'Pipe or redirect a file into stdin', {
      details: ['stdin is a terminal'],
      next: ['petstore import pets.csv', shellOf().feedFile('pets.csv', 'petstore import -')],
    });
  }
  const input = await (file === '-'
    ? openStreamInput(stdin, signal, format)
    : openFileInput(file, signal, format));
  if (input?.isGuessed) {
    terminal.notice(`Read as ${input.format}; --format says otherwise.`, { format: input.format });
  }
  return input;
}

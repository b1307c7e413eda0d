import path from 'node:path';
import { UserError } from '../../errors.ts';
import { type ImportFile, openImportFile, openOnceReadable } from '../../import/import-file.ts';
import { removeSpool, type Spool, spoolInput } from '../../import/staging/spool.ts';
import type { Context } from '../../program/context/context.ts';
import type { ImportCommandOptions } from './checked-import.ts';

export interface OpenedInput {
  file: ImportFile;
  /** Removes what this run alone has kept of stdin or a pipe: nothing will be resumed from it. */
  forget(): Promise<void>;
}

/** Opens the file; stdin and pipes are kept in a private file first, since they are read more than once. */
export async function openInput(
  context: Context,
  { file, format }: ImportCommandOptions,
): Promise<OpenedInput> {
  const spool = await keepOnceReadable(context, file);
  const opened = await openImportFile({
    path: spool?.file ?? file,
    name: file === '-' ? 'stdin' : file,
    format,
  });
  if (opened.isGuessed) {
    context.terminal.notice(`Read as ${opened.format}; --format says otherwise.`, {
      format: opened.format,
    });
  }
  return {
    file: opened,
    forget: async () => {
      if (spool?.isNew) await removeSpool(spool.file);
    },
  };
}

/** Undefined for a file that can be read again. */
async function keepOnceReadable(context: Context, file: string): Promise<Spool | undefined> {
  const folder = path.join(context.paths.stateFolder, 'spool');
  if (file !== '-') {
    const stream = await openOnceReadable(file);
    return stream && (await spoolInput(stream, folder));
  }
  if (context.stdin.isTTY) {
    throw new UserError(
      'cli_input_required',
      'The file is to come from stdin, but stdin is a terminal',
      {
        next: ['petstore import pets.csv', 'petstore import - < pets.csv'],
      },
    );
  }
  return await spoolInput(context.stdin, folder);
}

import path from 'node:path';
import { UserError } from '../../errors.ts';
import { type ImportFile, openImportFile, openOnceReadable } from '../../import/import-file.ts';
import { spoolInput } from '../../import/spool.ts';
import type { Context } from '../context.ts';
import type { ImportCommandOptions } from './checked-import.ts';

/** Opens the file; stdin and pipes are kept in a private file first, since they are read more than once. */
export async function openInput(
  context: Context,
  { file, format }: ImportCommandOptions,
): Promise<ImportFile> {
  const opened = await openImportFile({ path: await findFile(context, file), format });
  if (opened.isGuessed) {
    context.terminal.notice(`Read as ${opened.format}; --format says otherwise.`, {
      format: opened.format,
    });
  }
  return opened;
}

async function findFile(context: Context, file: string): Promise<string> {
  if (file !== '-') {
    const stream = await openOnceReadable(file);
    return stream === undefined ? file : await spool(context, stream);
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
  return await spool(context, context.stdin);
}

function spool(context: Context, input: AsyncIterable<string | Uint8Array>): Promise<string> {
  return spoolInput(input, path.join(context.paths.stateFolder, 'spool'));
}

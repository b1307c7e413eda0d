import { UserError } from '../../errors.ts';
import type { ImportCommandOptions } from './import-plan.ts';

/** Either what to read, or the id of an import whose rows were read before. */
export type InputChoice = { file: string } | { id: string };

/** `--resume` takes an id, but `import --resume delivery.csv` means the file. @throws UserError `cli_usage` */
export function chooseInput({ file, resume, dryRun }: ImportCommandOptions): InputChoice {
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
  if (!dryRun) return { id: only };
  throw new UserError('cli_usage', '--dry-run checks a file, and this import was read before');
}

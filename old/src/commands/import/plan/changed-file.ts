import { UserError } from '../../../errors.ts';
import type { StartedImport } from '../../../import/staging/imports.ts';
import type { Context } from '../../../program/context/context.ts';
import { formatImportLine } from '../format-import-line.ts';
import type { ImportPlan } from './plan-import.ts';

/**
 * Before a file is imported that held something else at its last import, which has left rows that were not added.
 * @throws UserError `cli_import_exists` when that import was stopped half-way: what it added may still be in the file.
 */
export function checkEarlier(context: Context, plan: ImportPlan, earlier: StartedImport): void {
  const { record, counts } = earlier;
  const { added, rejected, unknown } = counts;
  const far = `${added} of ${record.rows} pets were added`;
  if (record.finishedAt === null && added + unknown > 0) {
    throw new UserError(
      'cli_import_exists',
      `${plan.name} was changed while its import was not finished: ${far}`,
      {
        details: [
          '--resume sends the rest of the rows that were read then',
          '--fresh adds everything that the file holds now, pets that were added before included',
        ],
        next: [formatImportLine(context, plan, 'resume')],
      },
    );
  }
  if (record.finishedAt === null || rejected + unknown === 0) return;
  context.terminal.warn(
    `${plan.name} was imported before with other content: ${far}, and are added again if they are still in it.`,
    { file: plan.name, added },
  );
}

/** `--resume` of a file all of whose earlier pets were added: what it holds now is another delivery, or the same with corrections. */
export function refuseChanged(
  context: Context,
  plan: ImportPlan,
  { counts }: StartedImport,
): UserError {
  return new UserError(
    'cli_import_exists',
    `There is nothing to resume: ${plan.name} has changed since it was imported`,
    {
      details: [
        `${counts.added} pets were added then`,
        'without --resume, all that it holds now is added',
      ],
      next: [formatImportLine(context, plan)],
    },
  );
}

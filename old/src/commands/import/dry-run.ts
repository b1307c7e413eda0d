import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { chooseInput, openInput, refuseMissing } from './plan/choose-input.ts';
import type { ImportCommandOptions } from './plan/plan-import.ts';
import { refuseProblems, stageInput } from './plan/stage-input.ts';

/** Nothing is kept of a row that is only checked. */
const noDraft = { add: () => {}, complete: () => {} };

/** Checks every row and says how many could be added; needs nothing of the state folder. @throws UserError */
export async function dryRun(context: Context, options: ImportCommandOptions): Promise<void> {
  const { terminal, environments } = context;
  const choice = chooseInput(options);
  if ('id' in choice)
    throw new UserError('cli_usage', '--dry-run checks a file, and this import was read before');
  const input = await openInput(context, choice.file, options);
  if (input === undefined) throw await refuseMissing(context, choice.file, options);
  const report = await stageInput(context, input, noDraft).finally(input.close);
  refuseProblems(context, input.name, report);
  const { name, url } = environments.target();
  const { rows } = report;
  const pets = `${rows} ${rows === 1 ? 'pet' : 'pets'}`;
  terminal.notice(`Dry run: ${pets} could be added to ${name} (${url}); nothing was sent.`, {
    ...{ environment: name, rows, outcome: 'not_sent' },
  });
}

import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { confirmWrite } from '../shared/target.ts';
import { rerunWords } from './format-import-line.ts';
import type { ImportPlan } from './import-plan.ts';

/** Phase 2: says what is about to happen, and asks where somebody can respond. @throws UserError when it is refused. */
export async function confirmImport(context: Context, plan: ImportPlan): Promise<void> {
  const { terminal, environments, prompt, options } = context;
  const { name, url, protected: isProtected } = environments.target();
  const left = countLeft(plan);
  if (left === 0) return;
  const pets = `${left} ${left === 1 ? 'pet' : 'pets'}`;
  const members = { environment: name, url, rows: left };
  terminal.notice(`About to add ${pets} to ${name} (${url})`, members);
  const flag = plan.options.fresh ? 'fresh' : plan.options.resume ? 'resume' : undefined;
  await confirmWrite(context, {
    action: `Add ${pets}`,
    words: rerunWords(plan, flag),
    mustTypeName: true,
  });
  if (isProtected || !terminal.canAsk || options.confirm === name) return;
  if (!(await prompt.askConfirm(`Add ${pets} to ${name}?`)))
    throw new UserError('cli_declined', 'Not confirmed; nothing was sent');
}

function countLeft({ options, subject, known }: ImportPlan): number {
  if (options.fresh || known === undefined) return subject.rows;
  const { added, rejected, unknown } = known.counts;
  return subject.rows - added - rejected - unknown;
}

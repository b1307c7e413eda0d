import type { SettledEntry } from '../../contract/outputs/history.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';
import { formatLookUp } from '../shared/look-up-line.ts';
import { listTargetWords } from '../shared/target.ts';
import type { SettlePlan } from './settle-plan.ts';

interface Settling {
  settled: readonly SettledEntry[];
  /** The one line that was to be settled. */
  id: number | undefined;
  /** Whether it ended early, and the same line may come further. */
  canRepeat: boolean;
}

/** Says what the settling came to. @throws UserError when the outcome of something is still unknown, or an import has to be resumed. */
export function concludeSettling(
  context: Context,
  { elsewhere }: SettlePlan,
  { settled, id, canRepeat }: Settling,
): void {
  const { terminal, environments } = context;
  const { name } = environments.target();
  if (id !== undefined && settled.length === 0)
    terminal.notice(`The outcome of line ${id} is known: petstore history shows it.`);
  else if (settled.length === 0)
    terminal.notice(`No write from this machine to ${name} is of unknown outcome.`, {
      environment: name,
    });
  for (const [other, count] of elsewhere)
    terminal.notice(`${count} more in ${other}: petstore history settle --env ${other}`, {
      environment: other,
    });
  const unknown = settled.filter(({ settlement }) => settlement === 'unknown');
  const resumable = settled.filter(({ settlement }) => settlement === 'resumable');
  if (unknown.length > 0) {
    const repeat = canRepeat ? [formatSettleLine(context, id)] : [];
    const next = [...repeat, ...listResumeLines(context, resumable)];
    throw describeUnknown(context, unknown, settled.length, canRepeat, next);
  }
  if (resumable.length > 0)
    throw new UserError('cli_incomplete', describeImports(resumable.length, name), {
      outcome: 'unknown',
      next: listResumeLines(context, resumable),
    });
  if (settled.length > 0)
    terminal.notice(`Settled ${countWrites(settled.length)} to ${name}.`, { environment: name });
}

/** What can be settled later is not looked for; what cannot is never sent again. */
function describeUnknown(
  context: Context,
  unknown: readonly SettledEntry[],
  all: number,
  canRepeat: boolean,
  next: readonly string[],
): UserError {
  const { name } = context.environments.target();
  const writes = all === 1 ? 'a write' : `${unknown.length} of ${all} writes`;
  const reasons = unknown.map((entry) =>
    entry.command === 'add' ? entry.reason : 'rows of an import that cannot be sent again safely',
  );
  const advice = canRepeat
    ? 'settling again adds no pet twice'
    : 'look for the pet before you add it again';
  return new UserError(
    'cli_outcome_unknown',
    `The outcome of ${writes} to ${name} is still unknown`,
    {
      details: [...[...new Set(reasons)].filter((reason) => reason !== null), advice],
      next: canRepeat ? next : [...listLookUps(context, unknown), ...next],
      outcome: 'unknown',
    },
  );
}

function formatSettleLine(context: Context, id: number | undefined): string {
  const words = ['petstore', 'history', 'settle', ...(id === undefined ? [] : [String(id)])];
  return formatShellLine([...words, ...listTargetWords(context)]);
}

const MAX_LINES = 3;

function listLookUps(context: Context, unknown: readonly SettledEntry[]): string[] {
  const names = unknown.flatMap((entry) => (entry.command === 'add' ? [entry.pet.name] : []));
  return [...new Set(names)].slice(0, MAX_LINES).map((name) => formatLookUp(context, name));
}

function listResumeLines(context: Context, resumable: readonly SettledEntry[]): string[] {
  return resumable.flatMap((entry) =>
    entry.command === 'import'
      ? [
          formatShellLine([
            ...['petstore', 'import', '--resume', entry.importId],
            ...listTargetWords(context, entry.environment),
          ]),
        ]
      : [],
  );
}

function describeImports(count: number, name: string): string {
  return count === 1
    ? `An import into ${name} is not finished`
    : `${count} imports into ${name} are not finished`;
}

function countWrites(count: number): string {
  return count === 1 ? '1 write' : `${count} writes`;
}

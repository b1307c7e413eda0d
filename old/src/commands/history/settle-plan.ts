import { UserError } from '../../errors.ts';
import type { AddEntry, Entry, ImportEntry } from '../../history/entry.ts';
import type { History } from '../../history/open-history.ts';
import { findObstacle } from '../../history/settle-add.ts';
import type { Context } from '../../program/context/context.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';

/** An add that is reported only, and why. */
interface UnsettledAdd {
  entry: AddEntry;
  reason: string;
}

/** What can be done about the writes of unknown outcome of one environment. */
export interface SettlePlan {
  /** They are sent again, if the service honors idempotency keys. */
  sendable: AddEntry[];
  unsettled: UnsettledAdd[];
  imports: ImportEntry[];
  /** How many there are in other environments, by their names. */
  elsewhere: Map<string, number>;
}

/** Finds what to settle, all or the line of this number. Sends nothing. @throws UserError for one that is not there, or elsewhere. */
export function planSettling(context: Context, history: History, id?: number): SettlePlan {
  const { name, url } = context.environments.target();
  const isHere = (entry: Entry) => entry.environment === name || entry.url === url;
  const found = id === undefined ? history.listUnsettled() : findOne(history, id);
  const [other] = id === undefined ? [] : found.filter((entry) => !isHere(entry));
  if (other !== undefined) throw refuseElsewhere(context, other);
  const plan: SettlePlan = { sendable: [], unsettled: [], imports: [], elsewhere: new Map() };
  for (const entry of found) {
    if (!isHere(entry)) {
      plan.elsewhere.set(entry.environment, (plan.elsewhere.get(entry.environment) ?? 0) + 1);
    } else if (entry.command === 'import') plan.imports.push(entry);
    else {
      const moved = entry.url === url ? undefined : `it was sent to ${entry.url}`;
      const reason = moved ?? findObstacle(entry, history.findFirstUse(entry), context.clock());
      if (reason === undefined) plan.sendable.push(entry);
      else plan.unsettled.push({ entry, reason });
    }
  }
  return plan;
}

function findOne(history: History, id: number): Entry[] {
  const entry = history.find(id);
  if (entry === undefined)
    throw new UserError('cli_not_found', `There is no line ${id} in the history of this machine`, {
      next: ['petstore history'],
    });
  const isSettled = entry.outcome !== 'unknown' && (entry.command === 'add' || entry.isComplete);
  return isSettled ? [] : [entry];
}

function refuseElsewhere({ environments }: Context, { id, environment, url }: Entry): UserError {
  const { name } = environments.target();
  const isKnown = environments.names().includes(environment);
  const words = ['petstore', 'history', 'settle', String(id), '--env', environment];
  return new UserError(
    'cli_usage',
    `Line ${id} of the history was sent to ${environment} · ${url}`,
    {
      details: [`this would go to ${name}`],
      next: isKnown ? [formatShellLine(words)] : [],
    },
  );
}

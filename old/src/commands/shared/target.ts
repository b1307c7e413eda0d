import type { Environments, Target } from '../../config/environments/environments.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';
import { formatAgo, formatUntil } from '../../terminal/text/time.ts';
import { configureFirstUse, type FirstUseNeeds } from './first-use/first-use.ts';
import { requireWriteKey } from './require-write-key.ts';

/** On a terminal, says first which environment is acted on: a mistake there is the most expensive one. Asks for what is not configured. */
export async function announceTarget(
  context: Context,
  needs: FirstUseNeeds = { key: true },
): Promise<void> {
  await configureFirstUse(context, needs);
  const { terminal, environments, clock } = context;
  if (!terminal.stderr.isTerminal || terminal.isQuiet) return;
  const { name, url, protected: isProtected } = environments.target();
  const { createStyle } = await import('../../terminal/text/style.ts');
  const { danger, strong } = createStyle(terminal.stderr.hasColor);
  const choice = environments.temporary();
  const until = choice?.name === name && choice.until > clock() ? choice.until : undefined;
  const words = [
    ...[name, url],
    ...(isProtected ? ['protected'] : []),
    ...(until ? [`until ${formatUntil(until, clock())}`] : []),
  ];
  const members = { environment: name, url, ...(until && { until: until.toISOString() }) };
  terminal.notice(words.join(' · '), members, isProtected ? danger : strong);
}

/**
 * The words that name this environment and confirm a write to it, for a line to paste.
 * @param name another name of the same service.
 */
export function listTargetWords(
  { environments, options }: Context,
  name = environments.target().name,
): string[] {
  const isProtected = environments.target().protected;
  const isConfirmed = isProtected || options.confirm !== undefined;
  return ['--env', name, ...(isConfirmed ? ['--confirm', name] : [])];
}

/** A write that is about to be sent. */
export interface PlannedWrite {
  /** For the question, such as `Add "Rex"`. */
  action: string;
  /** The words of the command line that would do it, `petstore` and verb first, without environment and confirmation. */
  words: readonly string[];
  /** For many pets at once: the name of the environment must be typed, a yes is not enough. */
  mustTypeName?: boolean;
  /** Finds out, before somebody is asked, whether the write can work. */
  beforeAsking?(): Promise<void>;
  /** What else is asked before it is sent. */
  askFurther?(): Promise<void>;
}

/**
 * The one place every write passes. Where `env use --for` chose the environment, its time is not over before the last
 * prompt was answered: the write would go elsewhere than meant.
 * @throws UserError `cli_key_read_only`, `cli_confirmation_required` or `cli_declined`.
 */
export async function confirmWrite(context: Context, write: PlannedWrite): Promise<void> {
  requireWriteKey(context);
  refuseEnded(context, write);
  await confirmProtected(context, write);
  await write.askFurther?.();
  refuseEnded(context, write);
}

/** Refuses a write where the time of `env use --for` is over. @param words as those of a planned write. */
export function refuseEnded(
  { environments, clock }: Context,
  { words }: Pick<PlannedWrite, 'words'>,
): void {
  const choice = environments.temporary();
  if (choice === undefined || choice.until > clock()) return;
  const ago = formatAgo(choice.until, clock());
  const lines = [...new Set([choice.next, choice.name])]
    .filter((name) => environments.names().includes(name))
    .map((name) => nameTarget(words, name, environments));
  throw new UserError(
    'cli_confirmation_required',
    `${choice.name} ended ${ago}; a write must now say where it goes`,
    {
      details: ['nothing was sent', 'petstore env use <name> chooses an environment again'],
      next: lines,
    },
  );
}

/** The command line of a write with the words that name its environment, and confirm it where that is needed. */
function nameTarget(words: readonly string[], name: string, environments: Environments): string {
  const isProtected = environments.describe(name).protected.value;
  return formatShellLine([
    ...words.slice(0, 2),
    ...['--env', name, ...(isProtected ? ['--confirm', name] : [])],
    ...words.slice(2),
  ]);
}

/**
 * An unprotected environment is free, a protected one is confirmed
 * by a person on a terminal, elsewhere by naming it on this line or in its variable *and* by --confirm. What `env use` remembers never authorizes it.
 */
async function confirmProtected(context: Context, write: PlannedWrite): Promise<void> {
  const target = context.environments.target();
  const { confirm } = context.options;
  if (confirm !== undefined && confirm !== target.name) {
    throw refuse(target, write, `--confirm names ${confirm}, but this would go to ${target.name}`);
  }
  if (!target.protected) return;
  const isNamed = ['flag', 'variable'].includes(context.environments.selected().source.kind);
  if (confirm !== undefined && isNamed) return;
  if (!context.terminal.canAsk) {
    const reason = isNamed ? '' : '; that it was chosen earlier does not confirm it';
    throw refuse(
      target,
      write,
      `${target.name} is protected: a write to it must be confirmed${reason}`,
    );
  }
  await write.beforeAsking?.();
  if (!(await ask(context, target, write))) {
    throw new UserError('cli_declined', 'Not confirmed; nothing was sent');
  }
}

async function ask({ prompt }: Context, target: Target, write: PlannedWrite): Promise<boolean> {
  const question = `${write.action} to ${target.name} (${target.url})?`;
  if (!write.mustTypeName) return await prompt.askConfirm(question);
  return (await prompt.askText(`${question} Type ${target.name} to continue:`)) === target.name;
}

function refuse({ name, url }: Target, { words }: PlannedWrite, message: string): UserError {
  const line = [...words.slice(0, 2), '--env', name, '--confirm', name, ...words.slice(2)];
  return new UserError('cli_confirmation_required', message, {
    details: [`${name} is ${url}`],
    next: [formatShellLine(line)],
  });
}

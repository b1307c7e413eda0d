import { type Environment, findEnvironment, listConfiguredNames } from '../config/environments.ts';
import { UserError } from '../errors.ts';
import { quoteValue } from '../input/explain-value.ts';
import { adviseUnset } from '../terminal/command-line.ts';
import { readEnvironmentSettings } from './connect.ts';
import type { Context } from './context.ts';
import { repeatLine } from './next-lines.ts';

/**
 * Passes a write to an unprotected environment. To a protected one it needs `--confirm <its name>`, or a yes on a terminal;
 * where a variable gives it that address, the name does not confirm it. Called once per command.
 * @param action what would be done, such as `Add "Goldie", category 7, available,`; where to is put behind it.
 * @throws UserError `cli_confirmation_required` with the line that would do it, or `cli_declined`.
 */
export async function confirmWrite(
  context: Context,
  environment: Environment,
  action: string,
): Promise<void> {
  const { terminal, prompts, options } = context;
  const { name, isProtected } = environment;
  const { confirm } = options;
  if (confirm !== undefined && confirm !== name) {
    const message = `--confirm names ${quoteValue(confirm)}, but this goes to ${name}.`;
    throw explainConfirmation(context, environment, action, message);
  }
  if (!isProtected || (confirm !== undefined && !isMisnamed(environment))) return;
  if (!terminal.isInteractive) {
    const message = `${name} is protected: a write must be confirmed.`;
    throw explainConfirmation(context, environment, action, message);
  }
  if (await prompts.askConfirm(`${action} to ${formatPlace(environment)}?`, true)) return;
  throw new UserError('cli_declined', 'Stopped; nothing was sent.');
}

/** `staging (pets.test)`, or `production (pets.test, protected)`: for a question. */
export function formatPlace(environment: Environment): string {
  const { name, baseUrl, isProtected } = environment;
  return `${name} (${baseUrl.host}${isProtected ? `, ${formatProtection(environment)}` : ''})`;
}

/** `protected`, or as which environment. */
export function formatProtection({ protectedAs }: Environment): string {
  return protectedAs === undefined ? 'protected' : `protected as ${protectedAs}`;
}

/** A variable gives it the address of a protected one: whoever confirms by its name means another store. */
function isMisnamed(environment: Environment | undefined): boolean {
  return environment?.protectedAs !== undefined && environment.urlSource !== 'config.json';
}

function explainConfirmation(
  context: Context,
  environment: Environment,
  action: string,
  message: string,
): UserError {
  const { name, baseUrl, protectedAs, urlSource } = environment;
  const { options, argv } = context;
  const { confirm, env } = options;
  const details = [`${action} to ${name} (${baseUrl.host}).`];
  if (protectedAs !== undefined) details.push(`this is the address of ${protectedAs}`);
  // Which of the two was meant, only the person knows.
  const settings = readEnvironmentSettings(context);
  const next = listConfiguredNames(settings)
    .filter((other) => other === confirm && other !== name)
    .filter((other) => !isMisnamed(findEnvironment(settings, other)))
    .map((other) => repeatLine(argv, { '--env': other, '--confirm': other }));
  if (isMisnamed(environment)) {
    const unset = adviseUnset(urlSource);
    details.push(`${urlSource} gives it to ${name}`, ...unset.details);
    next.push(...unset.try);
  } else {
    const place = env === undefined ? { '--env': name } : {};
    next.push(repeatLine(argv, { ...place, '--confirm': name }));
  }
  return new UserError('cli_confirmation_required', message, { details, try: next });
}

/** A stored key never goes to another origin, so a new address removes it. @throws UserError `cli_declined`. */
export async function confirmNewOrigin(
  context: Context,
  name: string,
  { origin, host }: URL,
): Promise<void> {
  const { keys = {} } = readEnvironmentSettings(context).config.environments?.[name] ?? {};
  const lost = Object.keys(keys).filter((stored) => stored !== origin);
  if (lost.length === 0) return;
  const hosts = lost.map((stored) => new URL(stored).host).join(', ');
  await confirmLoss(
    context,
    `The stored key of ${name} is for ${hosts}, not for ${host}. Change the address and remove the key?`,
    'Stopped; nothing was changed.',
  );
}

/** Asks on a terminal before what cannot be undone (P18); Enter is no. @throws UserError `cli_declined`. */
export async function confirmLoss(
  { terminal, prompts }: Context,
  question: string,
  whenDeclined = 'Stopped; nothing was removed.',
): Promise<void> {
  if (!terminal.isInteractive || (await prompts.askConfirm(question, false))) return;
  throw new UserError('cli_declined', whenDeclined);
}

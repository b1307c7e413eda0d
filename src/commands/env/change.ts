import { parseBaseUrl } from '../../config/base-url.ts';
import type { Config } from '../../config/config-file.ts';
import {
  checkEnvironmentName,
  findEnvironment,
  removeEntry,
  requireKnown,
  setEntry,
} from '../../config/environments.ts';
import { environmentVariable } from '../../config/variables.ts';
import { UserError } from '../../errors.ts';
import { confirmLoss, confirmNewOrigin } from '../../program/confirm.ts';
import { openContextKeys, readEnvironmentSettings, warnOfVariable } from '../../program/connect.ts';
import type { Context } from '../../program/context.ts';
import { repeatLine } from '../../program/next-lines.ts';

/** @param typed `-` is the one that was selected before. */
export async function useEnvironment(context: Context, typed: string): Promise<void> {
  const { variables, terminal } = context;
  const settings = readEnvironmentSettings(context);
  const name = typed === '-' ? settings.config.previousEnvironment : typed;
  if (name === undefined) {
    throw new UserError('cli_usage', 'No other environment was selected before.', {
      try: [['petstore', 'env']],
    });
  }
  requireKnown(settings, name);
  const environment = findEnvironment(settings, name);
  if (environment === undefined) {
    throw new UserError('cli_no_url', `${name} has no address yet.`, {
      try: [['petstore', 'login', '--env', name]],
    });
  }
  await context.config.change(({ environment: last, ...config }) => ({
    ...config,
    environment: name,
    ...(last !== undefined && last !== name && { previousEnvironment: last }),
  }));
  terminal.notice(`Selected ${name} (${environment.baseUrl.host}).`);
  const { PETSTORE_ENV } = variables;
  if (PETSTORE_ENV !== name)
    warnOfVariable(context, 'PETSTORE_ENV', `overrides it with ${PETSTORE_ENV}`);
}

export async function removeEnvironment(context: Context, name: string): Promise<void> {
  const { terminal } = context;
  requireKnown(readEnvironmentSettings(context), name);
  await confirmLoss(
    context,
    `Remove the address and the stored key of ${name} from this computer?`,
  );
  await openContextKeys(context).remove(name, { change: (config) => removeEntry(config, name) });
  terminal.notice(`Removed ${name}.`);
  warnOfVariable(context, environmentVariable(name, 'URL'), `still gives ${name} an address`);
}

interface SetOptions {
  readonly url?: string;
  /** Undefined unless one of the two options was given. */
  readonly protected?: boolean;
}

export async function setEnvironment(
  context: Context,
  name: string,
  { url, protected: isProtected }: SetOptions,
): Promise<void> {
  const { terminal } = context;
  checkEnvironmentName(name);
  if (url === undefined && isProtected === undefined) throw explainNothingToSet(name);
  const baseUrl = url === undefined ? undefined : parseBaseUrl(url);
  if (isProtected === false) await confirmUnprotecting(context, name);
  const change = (config: Config) =>
    setEntry(config, name, {
      ...(baseUrl !== undefined && { url: baseUrl.href }),
      ...(isProtected !== undefined && { protected: isProtected }),
    });
  if (baseUrl === undefined) await context.config.change(change);
  else {
    await confirmNewOrigin(context, name, baseUrl);
    await openContextKeys(context).remove(name, { exceptOrigin: baseUrl.origin, change });
  }
  terminal.notice(`Changed ${name}${baseUrl === undefined ? '' : ` to ${baseUrl.href}`}.`);
  if (baseUrl !== undefined)
    warnOfVariable(context, environmentVariable(name, 'URL'), 'overrides this address');
}

/** Enter is no: what protects the real store is not given up by a key too many. */
async function confirmUnprotecting(context: Context, name: string): Promise<void> {
  const { terminal, options, argv } = context;
  if (options.confirm === name) return;
  if (!terminal.isInteractive) {
    throw new UserError(
      'cli_confirmation_required',
      `Turning off the protection of ${name} must be confirmed.`,
      {
        details: ['writes to it would no longer need a confirmation'],
        try: [repeatLine(argv, { '--confirm': name })],
      },
    );
  }
  await confirmLoss(
    context,
    `Writes to ${name} will no longer need a confirmation. Turn off its protection?`,
    `Stopped; ${name} is still protected.`,
  );
}

function explainNothingToSet(name: string): UserError {
  return new UserError('cli_usage', `What should be set for ${name}?`, {
    details: ['--url sets its address, --protected and --no-protected its protection'],
    try: [['petstore', 'env', 'set', name, '--protected']],
  });
}

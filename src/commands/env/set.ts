import { parseBaseUrl } from '../../config/base-url.ts';
import { changeConfig } from '../../config/config-file.ts';
import { setEnvironment as change, checkEnvironmentName } from '../../config/environments.ts';
import { environmentVariable } from '../../config/variables.ts';
import { UserError } from '../../errors.ts';
import { confirmLoss, confirmNewOrigin } from '../../program/confirm.ts';
import { openContextKeys } from '../../program/connect.ts';
import type { Context } from '../../program/context.ts';
import { repeatLine } from '../../program/next-lines.ts';

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
  const { terminal, variables } = context;
  checkEnvironmentName(name);
  if (url === undefined && isProtected === undefined) throw refuseNothing(name);
  const baseUrl = url === undefined ? undefined : parseBaseUrl(url);
  if (isProtected === false) await confirmUnprotecting(context, name);
  if (baseUrl !== undefined) {
    await confirmNewOrigin(context, name, baseUrl);
    // Before the rest, because a locked keychain keeps its keys: then all stays as it was.
    await openContextKeys(context).remove(name, { exceptOrigin: baseUrl.origin });
  }
  await changeConfig(variables, (config) =>
    change(config, name, {
      ...(baseUrl !== undefined && { url: baseUrl.href }),
      ...(isProtected !== undefined && { protected: isProtected }),
    }),
  );
  terminal.notice(`Changed ${name}${baseUrl === undefined ? '' : ` to ${baseUrl.href}`}.`);
  const variable = environmentVariable(name, 'URL');
  if (baseUrl !== undefined && variables[variable]) {
    terminal.warn('cli_overridden', `${variable} is set, and overrides this address.`);
  }
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

function refuseNothing(name: string): UserError {
  return new UserError('cli_usage', `What should be set for ${name}?`, {
    details: ['--url sets its address, --protected and --no-protected its protection'],
    try: [['petstore', 'env', 'set', name, '--protected']],
  });
}

import { changeConfig } from '../../config/config-file.ts';
import { findEnvironment, requireKnown } from '../../config/environments.ts';
import { UserError } from '../../errors.ts';
import { readEnvironmentSettings } from '../../program/connect.ts';
import type { Context } from '../../program/context.ts';

export async function useEnvironment(context: Context, name: string): Promise<void> {
  const { variables, terminal } = context;
  const settings = readEnvironmentSettings(context);
  requireKnown(settings, name);
  const environment = findEnvironment(settings, name);
  if (environment === undefined) {
    throw new UserError('cli_no_url', `${name} has no address yet.`, {
      try: [['petstore', 'login', '--env', name]],
    });
  }
  await changeConfig(variables, (config) => ({ ...config, environment: name }));
  terminal.notice(`Selected ${name} (${environment.baseUrl.host}).`);
  const { PETSTORE_ENV } = variables;
  if (PETSTORE_ENV && PETSTORE_ENV !== name) {
    terminal.warn('cli_overridden', `PETSTORE_ENV is set, and overrides it with ${PETSTORE_ENV}.`);
  }
}

import { parseOwnUrl } from '../../config/environments/base-url.ts';
import type { Environments } from '../../config/environments/environments.ts';
import {
  type ConfigFile,
  changeConfigFile,
  environmentName,
} from '../../config/files/config-file.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { confirmUnprotecting } from './confirm-unprotecting.ts';

export interface SetEnvironmentOptions {
  name: string;
  url?: string;
  protected?: boolean;
}

export async function setEnvironment(
  context: Context,
  options: SetEnvironmentOptions,
): Promise<void> {
  const { environments, paths, terminal } = context;
  const { name } = options;
  const isNew = !environments.names().includes(checkName(name));
  const changes = readChanges(options);
  if (isNew && changes.url === undefined) throw refuseWithoutUrl(name);
  let written: ConfigFile = {};
  await changeConfigFile(paths.configFile, (before) => {
    const environment = { ...before.environments?.[name], ...changes };
    written = { ...before, environments: { ...before.environments, [name]: environment } };
    confirmUnprotecting(context, { name, before, after: written, words: listWords(options) });
    return written;
  });
  terminal.notice(`${isNew ? 'Created' : 'Changed'} ${name}.`, { environment: name });
  if (!isNew && changes.url !== undefined) reportKey(context, name, changes.url);
  reportSharing(context, name, environments.withConfig(written));
}

function listWords({ name, url, protected: isProtected }: SetEnvironmentOptions): string[] {
  return [
    ...['petstore', 'env', 'set', name],
    ...(url === undefined ? [] : ['--url', url]),
    ...(isProtected === undefined ? [] : [isProtected ? '--protected' : '--no-protected']),
  ];
}

/** Two names for one service are mostly a mistake, and share its protection. */
function reportSharing({ terminal }: Context, name: string, environments: Environments): void {
  const sharing = environments.listSharing(name);
  if (sharing.length === 0) return;
  const isProtected = environments.describe(name).protected.value;
  const hint = isProtected ? ' Writes to each of them must be confirmed.' : '';
  const all = [name, ...sharing];
  terminal.warn(`${all.join(' and ')} have the same base URL.${hint}`, { environments: all });
}

function checkName(name: string): string {
  if (environmentName.test(name)) return name;
  throw new UserError('cli_usage', `${JSON.stringify(name)} cannot name an environment`, {
    details: ['lower-case letters, digits and dashes, a letter first, at most 32 in all'],
  });
}

function readChanges(options: SetEnvironmentOptions): { url?: string; protected?: boolean } {
  const changes = {
    ...(options.url !== undefined && { url: parseOwnUrl(options.url) }),
    ...(options.protected !== undefined && { protected: options.protected }),
  };
  if (Object.keys(changes).length > 0) return changes;
  throw new UserError('cli_usage', 'Say what to set: --url, --protected or --no-protected');
}

/** A key belongs to one origin; a new one needs its own. */
function reportKey({ environments, keys, terminal }: Context, name: string, url: string): void {
  const before = environments.describe(name).url.value;
  if (before === undefined || keys.stored.findRecord(name, before) === undefined) return;
  const [from, to] = [new URL(before).origin, new URL(url).origin];
  if (from === to) return;
  terminal.notice(
    `Its key belongs to ${from} and is not sent to ${to}. Log in: petstore auth login --env ${name}`,
  );
}

function refuseWithoutUrl(name: string): UserError {
  return new UserError('cli_usage', `${name} does not exist yet; a new environment needs a URL`, {
    next: [`petstore env set ${name} --url https://pets.example.com/v1`, 'petstore env list'],
  });
}

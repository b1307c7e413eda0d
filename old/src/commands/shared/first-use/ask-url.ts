import { describeFailure, RequestError } from '../../../client/request-error.ts';
import { parseOwnUrl } from '../../../config/environments/base-url.ts';
import type { Target } from '../../../config/environments/environments.ts';
import { changeConfigFile } from '../../../config/files/config-file.ts';
import { isLoopback } from '../../../contract/base-url.ts';
import { UserError } from '../../../errors.ts';
import type { Context } from '../../../program/context/context.ts';
import { isUnauthorized } from '../verify-key.ts';

/** Asks for the URL of an environment until a pet store responds there, and stores it. */
export async function askUrl(context: Context, name: string): Promise<void> {
  const { environments, paths, prompt } = context;
  const isProtected = environments.describe(name).protected.value;
  let url: string;
  do {
    url = completeUrl(await prompt.askText('Address (URL) of the service:', { check: checkUrl }));
  } while (!(await isPetStore(context, { name, url, protected: isProtected })));
  await changeConfigFile(paths.configFile, (config) => ({
    ...config,
    environments: { ...config.environments, [name]: { ...config.environments?.[name], url } },
  }));
  context.reloadConfig();
}

function checkUrl(typed: string): string | undefined {
  try {
    completeUrl(typed);
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [error.message, ...error.details].join('; ');
  }
}

/** An address as people say it: without scheme and version. */
function completeUrl(typed: string): string {
  const text = typed.trim();
  if (/^[a-z]+:\/\//i.test(text)) return parseOwnUrl(text);
  const host = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined;
  if (host === undefined || text.includes('@')) return parseOwnUrl(text);
  const path = host.pathname === '/' ? '/v1' : host.pathname;
  return parseOwnUrl(`${isLoopback(host) ? 'http' : 'https'}://${host.host}${path}`);
}

/** A pet store refuses a request without a valid key; anything else is told to the person who typed the URL. */
async function isPetStore(context: Context, target: Target): Promise<boolean> {
  const client = await context.connect(target, 'none', { retries: 0 });
  try {
    await client.listPets({ limit: 1 });
    return true;
  } catch (error) {
    if (isUnauthorized(error)) return true;
    if (!(error instanceof RequestError) || error.failure.kind === 'aborted') throw error;
    context.terminal.warn(
      `No pet store responds at ${target.url}: ${describeFailure(error.failure)}`,
    );
    return false;
  } finally {
    await client.close();
  }
}

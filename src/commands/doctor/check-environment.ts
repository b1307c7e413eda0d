import type { Environments, Target } from '../../config/environments/environments.ts';
import type { Keys } from '../../config/keys/keys.ts';
import { describeSource } from '../../config/settings/setting.ts';
import type { Context } from '../../program/context/context.ts';
import { type Finding, pass, warn } from './finding.ts';

/** @throws UserError when the file cannot be used. */
export function checkConfig({ environments, paths }: Context): Finding {
  environments.names();
  return pass(paths.configFile);
}

/** @throws UserError when the selected environment is unknown or has no usable URL. */
export function checkEnvironment(environments: Environments): Finding {
  const { source } = environments.selected();
  const { name, url, protected: isProtected } = environments.target();
  const words = `${name} (${describeSource(source)}) · ${url}${isProtected ? ' · protected' : ''}`;
  const broken = environments.names().filter((other) => hasBadUrl(environments, other));
  if (broken.length === 0) return pass(words);
  const next = broken.map((other) => `petstore env set ${other} --url https://pets.example.com/v1`);
  return warn(`${words}; the URL of ${broken.join(', ')} cannot be used`, ...next);
}

function hasBadUrl(environments: Environments, name: string): boolean {
  if (environments.describe(name).url.value === undefined) return false;
  try {
    environments.target(name);
    return false;
  } catch {
    return true;
  }
}

/** @throws UserError when there is no key, or it cannot be read. */
export async function checkKey(keys: Keys, target: Target | undefined): Promise<Finding> {
  if (target === undefined) return warn('not looked for: a key belongs to a URL');
  const { lastFour, from } = await keys.find(target);
  return pass(`ending ${lastFour}, from ${from}`);
}

/** @param environment the one that its advice is about. @throws UserError saying why the keychain cannot be used. */
export async function checkKeychain(keys: Keys, environment: string): Promise<Finding> {
  await keys.stored.probeKeychain(environment);
  return pass('answers');
}

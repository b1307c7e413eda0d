import { UserError } from '../errors.ts';
import { quoteValue } from '../input/explain-value.ts';
import { findNearest } from '../input/find-nearest.ts';
import { type Advice, adviseUnset } from '../terminal/command-line.ts';
import { isLoopback, parseBaseUrl } from './base-url.ts';
import { type Config, type EnvironmentEntry, environmentName } from './config-file.ts';
import { environmentVariable, type Variables } from './variables.ts';

const builtIn = new Map([
  ['production', true],
  ['staging', false],
]);

export interface EnvironmentSettings {
  readonly config: Config;
  readonly variables: Variables;
  readonly environmentOption?: string | undefined;
}

export interface Environment {
  readonly name: string;
  readonly baseUrl: URL;
  readonly isProtected: boolean;
  /** The protected environment of the same origin that it is protected for; undefined where it is set itself. */
  readonly protectedAs?: string | undefined;
  readonly urlSource: string;
}

/** The environment of a command, or why there is none yet: a terminal can ask, elsewhere it is exit 2. */
export type Resolution =
  | { readonly kind: 'found'; readonly environment: Environment }
  | { readonly kind: 'unselected'; readonly names: readonly string[] }
  /** The selected one has no address; without a name none was selected and none has an address. */
  | { readonly kind: 'unconfigured'; readonly name: string | undefined };

export function resolveEnvironment(
  settings: EnvironmentSettings,
  name = findSelectedName(settings),
): Resolution {
  if (name === undefined) {
    const names = listConfiguredNames(settings);
    return names.length > 1 ? { kind: 'unselected', names } : { kind: 'unconfigured', name };
  }
  requireKnown(settings, name);
  const environment = findEnvironment(settings, name);
  return environment ? { kind: 'found', environment } : { kind: 'unconfigured', name };
}

/** `--env`, then `PETSTORE_ENV`, then `env use`, then the only one with an address. It may be unknown. */
export function findSelectedName(settings: EnvironmentSettings): string | undefined {
  const { environmentOption, variables, config } = settings;
  // An empty --env, as of "$TARGET" with nothing in it, must not select another environment.
  const name = environmentOption ?? (variables.PETSTORE_ENV || config.environment);
  const [only, ...others] = listConfiguredNames(settings);
  return name ?? (others.length === 0 ? only : undefined);
}

export function findEnvironment(
  settings: EnvironmentSettings,
  name: string,
): Environment | undefined {
  const address = findAddress(settings, name);
  if (address === undefined) return undefined;
  const baseUrl = parseAddress(name, address);
  const protectedAs = findProtected(settings, name, baseUrl);
  return {
    name,
    baseUrl,
    isProtected: protectedAs !== undefined,
    ...(protectedAs !== name && { protectedAs }),
    urlSource: address.source,
  };
}

/** All environments by name, with and without an address. The selected one may have had it from a variable that is gone. */
export function listNames({ config }: EnvironmentSettings): string[] {
  const { environment, environments = {} } = config;
  const selected = environment === undefined ? [] : [environment];
  return [...new Set([...builtIn.keys(), ...Object.keys(environments), ...selected])].sort();
}

export function listConfiguredNames(settings: EnvironmentSettings): string[] {
  return listNames(settings).filter((name) => findAddress(settings, name) !== undefined);
}

export function setEntry(config: Config, name: string, change: EnvironmentEntry): Config {
  const entry = { ...config.environments?.[name], ...change };
  return { ...config, environments: { ...config.environments, [name]: entry } };
}

/** The config without this environment; a built-in one loses its address. */
export function removeEntry(config: Config, name: string): Config {
  const { [name]: _, ...environments } = config.environments ?? {};
  if (config.environment !== name) return { ...config, environments };
  const { environment: __, ...others } = config;
  return { ...others, environments };
}

export function checkEnvironmentName(name: string): void {
  if (environmentName.test(name)) return;
  throw new UserError('cli_invalid_input', `${quoteValue(name)} cannot name an environment.`, {
    details: ['a name is 1 to 32 lowercase letters, digits and dashes, such as till-3'],
  });
}

/** A variable with its address is enough for an environment to exist. @throws UserError `cli_unknown_environment`. */
export function requireKnown(settings: EnvironmentSettings, name: string): void {
  if (listNames(settings).includes(name)) return;
  if (environmentName.test(name) && findAddress(settings, name) !== undefined) return;
  throw explainUnknownEnvironment(settings, name);
}

interface Address {
  readonly text: string;
  readonly source: string;
}

function findAddress(settings: EnvironmentSettings, name: string): Address | undefined {
  return listAddresses(settings, name)[0];
}

function listAddresses({ config, variables }: EnvironmentSettings, name: string): Address[] {
  const variable = environmentVariable(name, 'URL');
  return [
    { text: variables[variable] ?? '', source: variable },
    { text: config.environments?.[name]?.url ?? '', source: 'config.json' },
  ].filter(({ text }) => text !== '');
}

function parseAddress(name: string, { text, source }: Address): URL {
  try {
    return parseBaseUrl(text);
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    const details = [`it is the address of ${name}, from ${source}`, ...cause.details];
    throw new UserError('cli_invalid_config', cause.message, { details, cause });
  }
}

/**
 * The environment that makes this address protected, itself first. Protection belongs to the origin: another name for a
 * protected one is protected too, unless the environment was set unprotected by `--no-protected`.
 */
function findProtected(
  settings: EnvironmentSettings,
  name: string,
  baseUrl: URL,
): string | undefined {
  if (settings.config.environments?.[name]?.protected === false) return undefined;
  const place = placeOf(baseUrl);
  return [name, ...listConfiguredNames(settings)].find(
    (other) => isSetProtected(settings, other) && listPlaces(settings, other).includes(place),
  );
}

/** The names of this computer are one host here; keys stay with the exact origin. */
function placeOf(url: URL): string {
  return isLoopback(url) ? `${url.protocol}//localhost:${url.port}` : url.origin;
}

function isSetProtected({ config }: EnvironmentSettings, name: string): boolean {
  return config.environments?.[name]?.protected ?? builtIn.get(name) ?? false;
}

/** Also the stored one that a variable overrides. An address that cannot be used is reported when its environment is. */
function listPlaces(settings: EnvironmentSettings, name: string): string[] {
  return listAddresses(settings, name).flatMap(({ text }) => {
    try {
      return [placeOf(parseBaseUrl(text))];
    } catch {
      return [];
    }
  });
}

function explainUnknownEnvironment(settings: EnvironmentSettings, name: string): UserError {
  const { environmentOption, variables } = settings;
  const isVariable = environmentOption === undefined && variables.PETSTORE_ENV === name;
  const advice: Advice = isVariable
    ? adviseUnset('PETSTORE_ENV')
    : { details: [], try: [['petstore', 'env']] };
  const nearest = findNearest(name, listNames(settings));
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  const shown = `${quoteValue(name)}${isVariable ? ' (PETSTORE_ENV)' : ''}`;
  const message = `There is no environment called ${shown}.${hint}`;
  return new UserError('cli_unknown_environment', message, {
    details: [`environments: ${listNames(settings).join(', ')}`, ...advice.details],
    try: advice.try,
  });
}

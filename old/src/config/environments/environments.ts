import { didYouMean, UserError } from '../../errors.ts';
import { type ConfigFile, environmentName } from '../files/config-file.ts';
import {
  type Candidate,
  candidate,
  describeSource,
  resolveSetting,
  type Setting,
} from '../settings/setting.ts';
import {
  environmentVariables,
  forEnvironment,
  readVariable,
  type Variables,
  variableNameFor,
} from '../variables.ts';
import { isSameBaseUrl, parseBaseUrl } from './base-url.ts';

/** What exists before anything is configured, and whether it is protected. The contract gives no base URLs for them. */
const builtIn = new Map([
  ['staging', false],
  ['production', true],
]);

const DEFAULT_ENVIRONMENT = 'staging';

/** A base URL at which the service is published, with where each of its settings came from. */
interface Environment {
  name: string;
  url: Setting<string | undefined>;
  protected: Setting<boolean>;
}

/** An environment whose base URL is known and allowed. */
export interface Target {
  name: string;
  /** Ends in `/v1`, without a trailing slash. */
  url: string;
  protected: boolean;
}

/** An environment that was chosen until a time. */
interface TemporaryChoice {
  name: string;
  until: Date;
  /** The last choice without a time limit, which is used again then. */
  next: string;
}

export interface Environments {
  /** Every environment that exists, in alphabetical order. */
  names(): string[];
  /** The environment that commands act on. */
  selected(): Setting<string>;
  /** What `env use --for` chose, also when its time is over; undefined where a flag or a variable decides. */
  temporary(): TemporaryChoice | undefined;
  /** Settings of one environment, the selected one unless named. @throws UserError `cli_unknown_environment`. */
  describe(name?: string): Environment;
  /** An environment, the selected one unless named, ready for a request. @throws UserError `cli_no_url` or `cli_invalid_config`. */
  target(name?: string): Target;
  /** Other environments with the base URL of this one, in alphabetical order. */
  listSharing(name: string): string[];
  /** The same with another content of the config file. */
  withConfig(config: ConfigFile): Environments;
}

export interface EnvironmentsInput {
  /** The value of `--env`. */
  flag: string | undefined;
  variables: Variables;
  configFile: string;
  readConfig(): ConfigFile;
  /** When this run started: what it acts on does not change under it. */
  startedAt: Date;
}

/** Environments from flag, variables and config file. Nothing is read before it is asked for. */
export function createEnvironments(input: EnvironmentsInput): Environments {
  const names = () => listNames(input);
  const selected = () => resolveSelected(input);
  const describe = (name?: string): Environment => {
    const chosen: Setting<string> = name === undefined ? selected() : resolveSetting([], name);
    if (!exists(input, chosen.value)) throw describeUnknown(chosen, names());
    return resolveEnvironment(input, chosen.value);
  };
  return {
    names,
    selected,
    temporary: () => findTemporary(input),
    describe,
    target: (name) => toTarget(describe(name)),
    listSharing: (name) => listSharing(input, resolveOwn(input, name)).map((other) => other.name),
    withConfig: (config) => createEnvironments({ ...input, readConfig: () => config }),
  };
}

function listNames({ readConfig }: EnvironmentsInput): string[] {
  const configured = Object.keys(readConfig().environments ?? {});
  return [...new Set([...builtIn.keys(), ...configured])].sort();
}

function exists(input: EnvironmentsInput, name: string): boolean {
  return (
    builtIn.has(name) ||
    (environmentName.test(name) && readUrl(input, name) !== undefined) ||
    Object.hasOwn(input.readConfig().environments ?? {}, name)
  );
}

function readUrl({ variables }: EnvironmentsInput, name: string): Candidate<string> | undefined {
  return readVariable(forEnvironment(environmentVariables.environmentUrl, name), variables);
}

function resolveSelected(input: EnvironmentsInput): Setting<string> {
  const { configFile, readConfig, startedAt } = input;
  const at = (member: string) => ({ kind: 'config', path: configFile, member }) as const;
  const chosen = findTemporary(input);
  const temporary =
    chosen && chosen.until > startedAt ? candidate(chosen.name, at('temporary')) : undefined;
  const config = candidate(readConfig().environment, at('environment'));
  return resolveSetting([...listNamed(input), temporary, config], DEFAULT_ENVIRONMENT);
}

function findTemporary(input: EnvironmentsInput): TemporaryChoice | undefined {
  const { temporary, environment } = input.readConfig();
  if (temporary === undefined || listNamed(input).length > 0) return undefined;
  const { environment: name, until } = temporary;
  return { name, until: new Date(until), next: environment || DEFAULT_ENVIRONMENT };
}

/** What the command line and the variable name, the stronger first. */
function listNamed({ flag, variables }: EnvironmentsInput): Candidate<string>[] {
  // Also when empty: `-e "$TARGET"` with nothing in it must not act on some other environment.
  const given: Candidate<string> | undefined =
    flag === undefined ? undefined : { value: flag, source: { kind: 'flag', name: '--env' } };
  const variable = readVariable(environmentVariables.environment, variables);
  return [given, variable].filter((named) => named !== undefined);
}

/** Protection belongs to the base URL: whoever shares it with a protected environment is protected too. */
function resolveEnvironment(input: EnvironmentsInput, name: string): Environment {
  const own = resolveOwn(input, name);
  const protector = own.protected.value
    ? undefined
    : listSharing(input, own).find((other) => other.protected.value);
  if (protector === undefined) return own;
  const { value, source, overridden } = own.protected;
  const inherited = { value: true, source: protector.url.source };
  return { ...own, protected: { ...inherited, overridden: [{ value, source }, ...overridden] } };
}

function listSharing(input: EnvironmentsInput, { name, url: { value: url } }: Environment) {
  if (url === undefined) return [];
  return listNames(input)
    .filter((other) => other !== name)
    .map((other) => resolveOwn(input, other))
    .filter((other) => other.url.value !== undefined && isSameBaseUrl(url, other.url.value));
}

/** What is said of this environment alone. */
function resolveOwn(input: EnvironmentsInput, name: string): Environment {
  const configured = input.readConfig().environments?.[name] ?? {};
  const sourceOf = (member: 'url' | 'protected') => {
    const path = input.configFile;
    return { kind: 'config', path, member: `environments.${name}.${member}` } as const;
  };
  return {
    name,
    url: resolveSetting<string | undefined>(
      [readUrl(input, name), candidate(configured.url, sourceOf('url'))],
      undefined,
    ),
    protected: resolveSetting(
      [candidate(configured.protected, sourceOf('protected'))],
      builtIn.get(name) ?? false,
    ),
  };
}

function toTarget(environment: Environment): Target {
  const { name, url } = environment;
  if (url.value === undefined) {
    const { environmentUrl, environmentKey } = environmentVariables;
    throw new UserError('cli_no_url', `The environment ${name} has no URL yet`, {
      details: [
        'two lines set it up; whoever runs the service gives you its URL and an API key',
        `or set ${variableNameFor(name, environmentUrl)} and ${variableNameFor(name, environmentKey)}`,
      ],
      next: [
        `petstore env set ${name} --url https://pets.example.com/v1`,
        `petstore auth login --env ${name}`,
      ],
    });
  }
  return { name, url: parseUrlOf(environment, url.value), protected: environment.protected.value };
}

function parseUrlOf({ name, url }: Environment, text: string): string {
  try {
    return parseBaseUrl(text);
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    throw new UserError(cause.code, cause.message, {
      details: [`it is the URL of ${name}, from ${describeSource(url.source)}`, ...cause.details],
      next: [`petstore env set ${name} --url https://pets.example.com/v1`],
      cause,
    });
  }
}

function describeUnknown(chosen: Setting<string>, names: string[]): UserError {
  const where = chosen.source.kind === 'default' ? '' : ` (from ${describeSource(chosen.source)})`;
  return new UserError(
    'cli_unknown_environment',
    `There is no environment called ${JSON.stringify(chosen.value)}${where}.${didYouMean(chosen.value, names)}`,
    { details: [`environments: ${names.join(', ')}`], next: ['petstore env list'] },
  );
}

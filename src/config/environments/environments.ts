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
import { parseBaseUrl } from './base-url.ts';

/** What exists before anything is configured. The contract gives only placeholders for their base URLs. */
const builtIn: Record<string, { protected: boolean }> = {
  staging: { protected: false },
  production: { protected: true },
};

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

export interface Environments {
  /** Every environment that exists, in alphabetical order. */
  names(): string[];
  /** The environment that commands act on. */
  selected(): Setting<string>;
  /** Settings of one environment, the selected one unless named. @throws UserError `cli_unknown_environment`. */
  describe(name?: string): Environment;
  /** An environment, the selected one unless named, ready for a request. @throws UserError `cli_no_url` or `cli_invalid_config`. */
  target(name?: string): Target;
  /** The same without what the config file says, for when it is broken. */
  withoutConfigFile(): Environments;
}

export interface EnvironmentsInput {
  /** The value of `--env`. */
  flag: string | undefined;
  variables: Variables;
  configFile: string;
  readConfig(): ConfigFile;
}

/** Environments from flag, variables and config file. Nothing is read before it is asked for. */
export function createEnvironments(input: EnvironmentsInput): Environments {
  const { variables, readConfig, configFile } = input;

  const readUrl = (name: string) =>
    readVariable(forEnvironment(environmentVariables.environmentUrl, name), variables);

  const exists = (name: string): boolean =>
    Object.hasOwn(builtIn, name) ||
    (environmentName.test(name) && readUrl(name) !== undefined) ||
    Object.hasOwn(readConfig().environments ?? {}, name);

  const names = (): string[] =>
    [...new Set([...Object.keys(builtIn), ...Object.keys(readConfig().environments ?? {})])].sort();

  const selected = (): Setting<string> => {
    // Also when empty: `-e "$TARGET"` with nothing in it must not act on some other environment.
    const flag: Candidate<string> | undefined =
      input.flag === undefined
        ? undefined
        : { value: input.flag, source: { kind: 'flag', name: '--env' } };
    const variable = readVariable(environmentVariables.environment, variables);
    const config = candidate(readConfig().environment, {
      kind: 'config',
      path: configFile,
      member: 'environment',
    });
    return resolveSetting([flag, variable, config], DEFAULT_ENVIRONMENT);
  };

  const describe = (name?: string): Environment => {
    const chosen: Setting<string> =
      name === undefined
        ? selected()
        : { value: name, source: { kind: 'default' }, overridden: [] };
    if (!exists(chosen.value)) throw refuseUnknown(chosen, names());
    const configured = readConfig().environments?.[chosen.value] ?? {};
    const member = `environments.${chosen.value}`;
    return {
      name: chosen.value,
      url: resolveSetting<string | undefined>(
        [
          readUrl(chosen.value),
          candidate(configured.url, { kind: 'config', path: configFile, member: `${member}.url` }),
        ],
        undefined,
      ),
      protected: resolveSetting(
        [
          candidate(configured.protected, {
            kind: 'config',
            path: configFile,
            member: `${member}.protected`,
          }),
        ],
        builtIn[chosen.value]?.protected ?? false,
      ),
    };
  };

  return {
    names,
    selected,
    describe,
    target: (name) => toTarget(describe(name)),
    withoutConfigFile: () => createEnvironments({ ...input, readConfig: () => ({}) }),
  };
}

function toTarget(environment: Environment): Target {
  const { name, url } = environment;
  if (url.value === undefined) {
    throw new UserError('cli_no_url', `The environment ${name} has no URL yet`, {
      next: [
        `petstore env set ${name} --url https://pets.example.com/v1`,
        `export ${variableNameFor(name, environmentVariables.environmentUrl)}=https://pets.example.com/v1`,
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

function refuseUnknown(chosen: Setting<string>, names: string[]): UserError {
  const where = chosen.source.kind === 'default' ? '' : ` (from ${describeSource(chosen.source)})`;
  return new UserError(
    'cli_unknown_environment',
    `There is no environment called ${JSON.stringify(chosen.value)}${where}.${didYouMean(chosen.value, names)}`,
    { details: [`environments: ${names.join(', ')}`], next: ['petstore env list'] },
  );
}

import { RequestError } from '../../client/failure.ts';
import type { Probe } from '../../client/petstore-client.ts';
import { findConfigFile } from '../../config/config-file.ts';
import {
  type Environment,
  type EnvironmentSettings,
  resolveEnvironment,
} from '../../config/environments.ts';
import type { FoundKey } from '../../config/keys.ts';
import { findProxy } from '../../config/proxy.ts';
import type { Variables } from '../../config/variables.ts';
import { type CommandLine, UserError } from '../../errors.ts';
import { openContextKeys, probe } from '../../program/connect.ts';
import type { Context } from '../../program/context.ts';
import { adviseNewKey, explainUnresolved } from '../../program/next-lines.ts';
import { adviseClock, adviseUnset } from '../../terminal/command-line.ts';
import { formatAmount } from '../../terminal/relative-time.ts';

/** What one check found. */
export interface Finding {
  readonly check: string;
  readonly isProblem: boolean;
  readonly message: string;
  readonly details: readonly string[];
  /** Lines that mend it. */
  readonly try: readonly CommandLine[];
}

export interface Diagnosis {
  readonly findings: readonly Finding[];
  readonly environment: Environment | undefined;
  readonly key: FoundKey | undefined;
  /** Undefined where the service was not asked or did not respond. */
  readonly response: Probe | undefined;
}

/** Runs the checks in the order in which one needs the other; what a problem makes pointless is not checked. */
export async function diagnose(context: Context, offline: boolean): Promise<Diagnosis> {
  const { variables, options } = context;
  const findings: Finding[] = [];
  const check = async <T>(
    name: string,
    run: () => T | Promise<T>,
    describe: (value: T) => string,
  ) => {
    try {
      const value = await run();
      findings.push({
        check: name,
        isProblem: false,
        message: describe(value),
        details: [],
        try: [],
      });
      return value;
    } catch (error) {
      findings.push(toProblem(name, error));
      return undefined;
    }
  };
  const config = await check(
    'config',
    () => context.config.read(),
    () => describeFile(variables),
  );
  const settings = config && { config, variables, environmentOption: options.env };
  const environment =
    settings &&
    (await check('environment', () => requireEnvironment(context, settings), describeEnvironment));
  if (environment === undefined)
    return { findings, environment, key: undefined, response: undefined };
  const proxy = await check(
    'proxy',
    () => describeProxy(variables, environment),
    (text) => text,
  );
  const keys = openContextKeys(context);
  const key = await check('key', () => keys.find(environment), describeKey);
  if (offline || proxy === undefined) return { findings, environment, key, response: undefined };
  const response = await check(
    'service',
    () => askService(context, environment, key),
    ({ ms }) => `responds (${Math.round(ms)} ms)`,
  );
  if (response !== undefined) {
    await check(
      'clock',
      () => checkClock(response.serverDate, new Date()),
      (text) => text,
    );
  }
  return { findings, environment, key, response };
}

function toProblem(check: string, error: unknown): Finding {
  if (error instanceof UserError) {
    const { message, details, try: next } = error;
    return { check, isProblem: true, message, details, try: next };
  }
  throw error;
}

function describeFile(variables: Variables): string {
  return findConfigFile(variables) ?? 'none, as there is no folder for it';
}

function requireEnvironment(context: Context, settings: EnvironmentSettings): Environment {
  const resolution = resolveEnvironment(settings);
  if (resolution.kind === 'found') return resolution.environment;
  throw explainUnresolved(context, resolution);
}

function describeEnvironment({ name, baseUrl, isProtected, urlSource }: Environment): string {
  return `${name} at ${baseUrl.href} (${urlSource})${isProtected ? ', protected' : ''}`;
}

/** User and password stay out of it. */
function describeProxy(variables: Variables, { baseUrl }: Environment): string {
  const proxy = findProxy(variables, baseUrl);
  if (proxy !== undefined) {
    const except = proxy.noProxy === '' ? '' : `, but not to ${proxy.noProxy} (NO_PROXY)`;
    return `${proxy.url.host} (${proxy.source})${except}`;
  }
  return variables.HTTP_PROXY ? 'none: HTTP_PROXY is not used, only HTTPS_PROXY is' : 'none';
}

function describeKey({ source, ending }: FoundKey): string {
  return `ends in ${ending}, from ${source}`;
}

/** Without a key, too: then a refusal shows that the service is there. */
async function askService(
  context: Context,
  environment: Environment,
  key: FoundKey | undefined,
): Promise<Probe> {
  const { name, baseUrl } = environment;
  const response = await probe(context, baseUrl, { apiKey: key?.text }).catch((error) => {
    throw error instanceof RequestError ? explainRequestFailure(error, environment) : error;
  });
  if (response.status === 200 || key === undefined) return response;
  const isUnknownKey = response.status === 401;
  const message = isUnknownKey ? `The API key for ${name} was not accepted.` : response.refusal;
  const newKey = isUnknownKey ? adviseNewKey(name, key) : { details: [], try: [] };
  throw new UserError('cli_key_rejected', message ?? '', {
    details: [describeKey(key), ...newKey.details],
    try: newKey.try,
  });
}

function explainRequestFailure(error: RequestError, { name, urlSource }: Environment): UserError {
  const { method, url, id } = error.request;
  const isStored = urlSource === 'config.json';
  const change = isStored
    ? `; if it is wrong, petstore env set ${name} --url <address> changes it`
    : '; if it is wrong, take that variable away';
  const unset = isStored ? { details: [], try: [] } : adviseUnset(urlSource);
  return new UserError('cli_doctor', error.message, {
    details: [
      ...error.details,
      `${method} ${url}, request ${id}`,
      `the address is from ${urlSource}${change}`,
      ...unset.details,
      // A server for https closes such a connection without a word.
      ...(error.code === 'cli_connection_lost' && url.startsWith('http:')
        ? ['where the port is for https, the address begins with https://']
        : []),
    ],
    try: unset.try,
    cause: error,
  });
}

/** `Retry-After` and certificates bear a clock that is off by less. */
const TOLERATED_MS = 60_000;

/** Compares this computer's clock with the service's. @throws UserError when they differ by more than a minute. */
export function checkClock(served: Date | undefined, now: Date): string {
  const skew = served === undefined ? 0 : now.getTime() - served.getTime();
  if (Math.abs(skew) <= TOLERATED_MS) return now.toISOString();
  const amount = formatAmount(Math.round(Math.abs(skew) / 1000));
  const direction = skew > 0 ? 'ahead of' : 'behind';
  throw new UserError(
    'cli_doctor',
    `This computer's clock is ${amount} ${direction} the service's.`,
    { details: ['certificates and waiting times depend on it'], try: [adviseClock()] },
  );
}

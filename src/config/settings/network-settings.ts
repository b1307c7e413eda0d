import { UserError } from '../../errors.ts';
import { isLoopback } from '../environments/base-url.ts';
import { environmentVariables, readVariable, type Variable, type Variables } from '../variables.ts';
import { resolveSetting, type Setting } from './setting.ts';

/** Proxies by URL, empty for none, and the hosts reached without one. */
export interface NetworkSettings {
  /** Always empty: http goes to this machine only, past every proxy. */
  httpProxy: '';
  httpsProxy: string;
  noProxy: string;
}

/**
 * What the usual variables say; undefined when there is no proxy.
 * @throws UserError `cli_invalid_config` when the proxy is not a URL.
 */
export function readNetworkSettings(
  variables: Variables,
  baseUrl: string,
): NetworkSettings | undefined {
  const proxy = findProxy(variables);
  const httpsProxy = parseProxy(proxy);
  // A key sent in plain to this machine must not leave it on the way to a proxy.
  if (httpsProxy === '' || isLoopback(new URL(baseUrl))) return undefined;
  const noProxy = resolveEither(environmentVariables.noProxy, variables).value ?? '';
  return { httpProxy: '', httpsProxy, noProxy };
}

/** The proxy as it was given, which need not be a URL. */
export function findProxy(variables: Variables): Setting<string | undefined> {
  return resolveEither(environmentVariables.httpsProxy, variables);
}

/** The lower-case form wins, as it does for curl. */
function resolveEither(
  variable: Variable<string>,
  variables: Variables,
): Setting<string | undefined> {
  const lowerCase = { ...variable, name: variable.name.toLowerCase() };
  return resolveSetting<string | undefined>(
    [readVariable(lowerCase, variables), readVariable(variable, variables)],
    undefined,
  );
}

/** A host and port alone are taken for plain http to the proxy, as curl does. A proxy's password is not repeated. */
function parseProxy({ value = '', source }: Setting<string | undefined>): string {
  if (value === '') return '';
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (URL.canParse(url)) return url;
  const name = source.kind === 'variable' ? source.name : environmentVariables.httpsProxy.name;
  throw new UserError('cli_invalid_config', `The proxy in ${name} is not a URL`, {
    details: ['a proxy looks like http://proxy.example.com:3128'],
    next: [`unset ${name}`],
  });
}

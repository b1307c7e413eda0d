import { readFileSync } from 'node:fs';
import { messageOf, UserError } from '../../errors.ts';
import { isLoopback } from '../environments/base-url.ts';
import { environmentVariables, readVariable, type Variable, type Variables } from '../variables.ts';
import { resolveSetting, type Setting } from './setting.ts';

/**
 * The proxy that the usual variables name and the hosts reached without it; undefined when there is none.
 * @throws UserError `cli_invalid_config` when the proxy is not a URL.
 */
export function readProxySettings(variables: Variables, baseUrl: string) {
  const proxy = findProxy(variables);
  const httpsProxy = parseProxy(proxy);
  // A key sent in plain to this machine must not leave it on the way to a proxy.
  if (httpsProxy === '' || isLoopback(new URL(baseUrl))) return undefined;
  const noProxy = resolveEither(environmentVariables.noProxy, variables).value ?? '';
  // http goes to this machine only, past every proxy.
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

/** The certificate authorities this process trusts beyond its own. */
export interface ExtraAuthorities {
  file: string;
  count: number;
  /** Why the file cannot be used; the runtime itself only warns and goes on without it. */
  problem: string | undefined;
}

/** What the file of more certificate authorities holds; undefined when none is named. */
export function readExtraAuthorities(variables: Variables): ExtraAuthorities | undefined {
  const file = readVariable(environmentVariables.extraAuthorities, variables)?.value;
  if (file === undefined) return undefined;
  try {
    const count = readFileSync(file, 'utf8').split('-----BEGIN CERTIFICATE-----').length - 1;
    return { file, count, problem: count === 0 ? 'it has no certificate in PEM' : undefined };
  } catch (error) {
    return { file, count: 0, problem: messageOf(error) };
  }
}

/** Whether certificates are checked at all. */
export function checksCertificates(variables: Variables): boolean {
  return readVariable(environmentVariables.checkCertificates, variables)?.value !== '0';
}

import { isLoopback } from '../../contract/base-url.ts';
import { UserError } from '../../errors.ts';
import { shellOf } from '../../shell.ts';
import { environmentVariables, readVariable, type Variable, type Variables } from '../variables.ts';
import { type Candidate, resolveSetting, type Setting } from './setting.ts';

/** The proxy to one service. The connection, `doctor` and `env show --explain` all ask for it here. */
export interface ProxyChoice {
  /** A URL, perhaps with user and password; undefined for none. Its source may also be what says that there is none. */
  setting: Setting<string | undefined>;
  /** A variable that looks like a proxy for this service, and is not. */
  unused: string | undefined;
}

/** @param baseUrl of the service; it need not be a URL. @throws UserError `cli_invalid_config` when the proxy is not the URL of an HTTP proxy. */
export function findProxy(variables: Variables, baseUrl: string | undefined): ProxyChoice {
  const url = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  // A key sent in plain to this machine must not leave it on the way to a proxy.
  if (url !== undefined && isLoopback(url)) {
    return { setting: resolveSetting<string | undefined>([], undefined), unused: undefined };
  }
  const proxies = [toLowerCase(httpsProxy), httpsProxy]
    .flatMap((variable) => readVariable(variable, variables) ?? [])
    .map(parseProxy);
  const bypass = url && findBypass(variables, url);
  const setting = resolveSetting<string | undefined>(proxies, undefined);
  if (bypass === undefined || proxies.length === 0) {
    return { setting, unused: proxies.length === 0 ? findUnused(variables) : undefined };
  }
  const overridden = [...proxies, ...setting.overridden.slice(-1)];
  return { setting: { ...bypass, value: undefined, overridden }, unused: undefined };
}

const { httpsProxy, httpProxy, noProxy } = environmentVariables;

/** A proxy's URL without user and password. */
export function stripCredentials(proxy: string): string {
  const { protocol, host } = new URL(proxy);
  return `${protocol}//${host}`;
}

/** The hosts that are reached without the proxy. The lower-case form of a variable wins, as it does for curl. */
export function readNoProxy(variables: Variables): Candidate<string> | undefined {
  return readVariable(toLowerCase(noProxy), variables) ?? readVariable(noProxy, variables);
}

function toLowerCase<T>(variable: Variable<T>): Variable<T> {
  return { ...variable, name: variable.name.toLowerCase() };
}

/** http goes to this machine only, past every proxy. */
function findUnused(variables: Variables): string | undefined {
  const unused = [toLowerCase(httpProxy), httpProxy];
  return unused.find((variable) => readVariable(variable, variables) !== undefined)?.name;
}

/** The list that names this host, a domain above it, or all. */
function findBypass(variables: Variables, url: URL): Candidate<string> | undefined {
  const list = readNoProxy(variables);
  const port = url.port || '443';
  const isNamed = list?.value.split(/[\s,]+/).some((entry) => {
    const [, name = '', onlyPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === '' || (onlyPort !== undefined && onlyPort !== port)) return false;
    return name === '*' || url.hostname === name || url.hostname.endsWith(`.${name}`);
  });
  return isNamed ? list : undefined;
}

/** A host and port alone are taken for plain http to the proxy, as curl does. A proxy's password is not repeated. */
function parseProxy({ value, source }: Candidate<string>): Candidate<string | undefined> {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const problem = findProxyProblem(url);
  if (problem === undefined) return { value: url, source };
  const name = source.kind === 'variable' ? source.name : httpsProxy.name;
  throw new UserError('cli_invalid_config', `The proxy in ${name} ${problem}`, {
    details: ['a proxy looks like http://proxy.example.com:3128'],
    next: [shellOf().unsetVariable(name)],
  });
}

function findProxyProblem(url: string): string | undefined {
  if (!URL.canParse(url)) return 'is not a URL';
  return /^https?:$/.test(new URL(url).protocol) ? undefined : 'is not an HTTP proxy';
}

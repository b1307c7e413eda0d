import path from 'node:path';
import { type Candidate, candidate } from './settings/setting.ts';

/** The environment variables of a process, handed in so that only `start.ts` and `run.ts` touch the real ones. */
export type Variables = Readonly<Record<string, string | undefined>>;

export type ColorChoice = 'auto' | 'always' | 'never';

/** An environment variable that petstore honors. */
export interface Variable<T> {
  /** `<ENV>` in it stands for the name of an environment. */
  name: string;
  /** For help, manual and README. */
  meaning: string;
  /** What its text says; undefined when that is nothing. */
  parse(text: string): T | undefined;
}

/** The one list of them, in the order of help, manual and README: a new variable is a line here, and its use. */
export const environmentVariables = {
  environment: text('PETSTORE_ENV', 'the environment to act on; --env overrides it'),
  output: text('PETSTORE_OUTPUT', 'the output format; --output overrides it'),
  environmentUrl: text('PETSTORE_<ENV>_URL', 'the base URL of an environment'),
  environmentKey: text('PETSTORE_<ENV>_API_KEY', 'the API key of an environment'),
  key: text('PETSTORE_API_KEY', 'the API key of the selected environment'),
  keyFile: text('PETSTORE_API_KEY_FILE', 'a file with the API key of the selected environment'),
  configFolder: text('PETSTORE_CONFIG_DIR', 'the folder of config.json and keys.json'),
  history: define('PETSTORE_HISTORY', 'off: adds are not recorded on this machine', parseOff),
  debug: define('PETSTORE_DEBUG', 'adds the stack to error messages', parseSwitch),
  serve: text('PETSTORE_SERVE_<SETTING>', 'a setting of serve, such as PETSTORE_SERVE_PORT'),
  httpsProxy: text('HTTPS_PROXY', 'the proxy to the service; unused for http://localhost'),
  httpProxy: text('HTTP_PROXY', 'not used: http is for this machine only; see HTTPS_PROXY'),
  noProxy: text('NO_PROXY', 'hosts that are reached without the proxy'),
  extraAuthorities: text('NODE_EXTRA_CA_CERTS', 'a PEM file of more certificate authorities'),
  checkCertificates: text('NODE_TLS_REJECT_UNAUTHORIZED', '0 is refused: use NODE_EXTRA_CA_CERTS'),
  noColor: define('NO_COLOR', 'no colors; --color overrides it', parseNoColor),
  forceColor: define('FORCE_COLOR', 'colors, 0 for none; overrides NO_COLOR', parseForceColor),
  term: define('TERM', 'dumb: no colors', parseTerm),
  columns: define('COLUMNS', 'the width of tables', parseColumns),
  accessible: define('ACCESSIBLE', 'numbered prompts and progress as plain lines', parseSwitch),
  ci: define('CI', 'never prompt', parseSwitch),
  compileCache: text('NODE_DISABLE_COMPILE_CACHE', 'no compiled code is cached for a faster start'),
  configHome: define('XDG_CONFIG_HOME', 'config and keys are in its folder petstore', parseFolder),
  stateHome: define(
    'XDG_STATE_HOME',
    'history, imports and notices are in its folder petstore',
    parseFolder,
  ),
  dataHome: define('XDG_DATA_HOME', 'the database of serve is in its folder petstore', parseFolder),
  cacheHome: define('XDG_CACHE_HOME', 'the compile cache is in its folder petstore', parseFolder),
} satisfies Record<string, Variable<unknown>>;

/** What a variable says, with its name as the source; undefined when it is not set or says nothing. */
export function readVariable<T>(
  { name, parse }: Variable<T>,
  variables: Variables,
): Candidate<T> | undefined {
  const value = variables[name];
  return value === undefined ? undefined : candidate(parse(value), { kind: 'variable', name });
}

/** A variable of one environment: `PETSTORE_STAGING_URL` for staging and the URL. */
export function forEnvironment<T>(variable: Variable<T>, environment: string): Variable<T> {
  return { ...variable, name: variableNameFor(environment, variable) };
}

/** The environment's name in capitals, a dash as an underscore. */
export function variableNameFor(environment: string, { name }: Variable<unknown>): string {
  return name.replace('<ENV>', environment.toUpperCase().replaceAll('-', '_'));
}

/** Every API key in the variables, of whichever environment. */
export function listKeyValues(variables: Variables): string[] {
  const { environmentKey, key } = environmentVariables;
  const pattern = new RegExp(`^(${environmentKey.name.replace('<ENV>', '\\w+')}|${key.name})$`);
  return Object.entries(variables).flatMap(([name, value]) =>
    value && pattern.test(name) ? [value] : [],
  );
}

function define<T>(name: string, meaning: string, parse: Variable<T>['parse']): Variable<T> {
  return { name, meaning, parse };
}

function text(name: string, meaning: string): Variable<string> {
  return define(name, meaning, (value) => value);
}

function parseSwitch(value: string): true | undefined {
  return value === '' || value === '0' || value === 'false' ? undefined : true;
}

/** Anything else leaves it on: what is recorded by mistake harms less than what is missing. */
function parseOff(value: string): boolean | undefined {
  if (value === '') return undefined;
  return !['off', '0', 'false', 'no'].includes(value.toLowerCase());
}

/** It counts when not empty (no-color.org). */
function parseNoColor(value: string): ColorChoice | undefined {
  return value === '' ? undefined : 'never';
}

/** As Node itself reads it. */
function parseForceColor(value: string): ColorChoice {
  return value === '0' || value === 'false' ? 'never' : 'always';
}

function parseTerm(value: string): ColorChoice | undefined {
  return value === 'dumb' ? 'never' : undefined;
}

function parseColumns(value: string): number | undefined {
  const columns = Number(value);
  return Number.isInteger(columns) && columns > 0 ? columns : undefined;
}

/** A relative path is invalid and to be ignored (XDG Base Directory Specification 0.8). */
function parseFolder(value: string): string | undefined {
  return path.isAbsolute(value) ? value : undefined;
}

import { isLoopback } from './base-url.ts';
import type { Environments } from './environments.ts';
import { endOfKey, type Keys } from './keys.ts';
import { type OutputInput, resolveFormat } from './output-settings.ts';
import { findPaths, type Paths, type Variables } from './paths.ts';
import { type Candidate, candidate, resolveSetting, type Setting, type Source } from './setting.ts';

/** A setting as `env show --explain` prints it. */
export type ExplainedSetting = {
  setting: string;
  /** Null when nothing gives it a value. A key is never shown. */
  value: string | null;
  source: Source;
  beat: { value: string | null; source: Source }[];
};

export interface ExplainInput {
  environments: Environments;
  keys: Keys;
  variables: Variables;
  paths: Paths;
  output: Omit<OutputInput, 'variables'>;
  /** Values of flags by their names, such as `--timeout`. */
  flags: Readonly<Record<string, string | undefined>>;
}

/** Every setting that more than one place can give, for one environment: its value, where it came from and what it beat. */
export function explainSettings(input: ExplainInput, environment?: string): ExplainedSetting[] {
  const { environments, variables, paths, flags } = input;
  const { name, url, protected: isProtected } = environments.describe(environment);
  const flag = (name: string) => candidate(flags[name], { kind: 'flag', name });
  const variable = (name: string, read = (text: string) => text) => {
    const text = variables[name];
    return text ? candidate(read(text), { kind: 'variable', name }) : undefined;
  };
  const never = () => 'never';
  const settings: Record<string, Setting<string | boolean | undefined>> = {
    environment: environments.selected(),
    url,
    protected: isProtected,
    key: resolveKey(input, name, url.value),
    output: resolveFormat({ ...input.output, variables }),
    color: resolveSetting(
      [
        flag('--color'),
        variable('FORCE_COLOR', (text) => (/^(0|false)$/.test(text) ? 'never' : 'always')),
        variable('NO_COLOR', never),
        variables.TERM === 'dumb' ? variable('TERM', never) : undefined,
      ],
      'auto',
    ),
    columns: resolveSetting([variable('COLUMNS')], 'as wide as the screen'),
    questions: resolveSetting([flag('--no-input'), variable('CI', never)], 'on a terminal'),
    timeout: resolveSetting([flag('--timeout')], '30s'),
    retries: resolveSetting([flag('--retries')], '2'),
    proxy: resolveSetting(
      nameProxies(url.value).map((name) => variable(name, hideUser)),
      'none',
    ),
    'config file': resolveSetting(
      [
        variable('PETSTORE_CONFIG_DIR', () => paths.configFile),
        variable('XDG_CONFIG_HOME', () => findConfigFile(variables, 'PETSTORE_CONFIG_DIR')),
      ],
      findConfigFile(variables, 'PETSTORE_CONFIG_DIR', 'XDG_CONFIG_HOME'),
    ),
  };
  return Object.entries(settings).map(([setting, { beat, ...winner }]) => ({
    setting,
    ...explain(winner),
    beat: beat.map(explain),
  }));
}

function explain({ value, source }: Candidate<string | boolean | undefined>) {
  return { value: value === undefined ? null : String(value), source };
}

function resolveKey(
  { keys }: ExplainInput,
  environment: string,
  url: string | undefined,
): Setting<string | undefined> {
  const record =
    url !== undefined && URL.canParse(url)
      ? keys.locate({ name: environment, url }).record
      : undefined;
  return resolveSetting<string | undefined>(
    [
      ...keys.listVariables(environment).map(({ name, kind, value }) =>
        candidate(kind === 'file' ? value : `ending ${endOfKey(value)}`, {
          kind: 'variable',
          name,
        }),
      ),
      record && candidate(`ending ${record.lastFour}`, keys.describeStorage(record.storage)),
    ],
    undefined,
  );
}

/** Plain http goes to this machine only, and past every proxy. */
function nameProxies(url: string | undefined): string[] {
  const isLocal = url !== undefined && URL.canParse(url) && isLoopback(new URL(url));
  return isLocal ? [] : ['https_proxy', 'HTTPS_PROXY'];
}

/** A proxy's URL may hold a password. */
function hideUser(proxy: string): string {
  return URL.canParse(proxy) ? new URL(proxy).origin : '(not a URL)';
}

function findConfigFile(variables: Variables, ...without: string[]): string {
  const others = Object.entries(variables).filter(([name]) => !without.includes(name));
  return findPaths(Object.fromEntries(others)).configFile;
}

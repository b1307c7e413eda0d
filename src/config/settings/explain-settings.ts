import type { OutputFormat } from '../../contract/output-formats.ts';
import { isLoopback } from '../environments/base-url.ts';
import type { Environments } from '../environments/environments.ts';
import { findPaths, type Variables } from '../files/paths.ts';
import { endOfKey, type Keys } from '../keys/keys.ts';
import { type Candidate, candidate, resolveSetting, type Setting, type Source } from './setting.ts';
import type { TerminalSettings } from './terminal-settings.ts';

/** A setting as `env show --explain` prints it. */
export type ExplainedSetting = {
  setting: string;
  /** Null when nothing gives it a value. A key is never shown. */
  value: string | null;
  source: Source;
  beat: { value: string | null; source: Source }[];
};

/** Settings as the program itself resolved them, and what else it takes to explain them. */
export interface ExplainInput {
  environments: Environments;
  keys: Keys;
  variables: Variables;
  format: Setting<OutputFormat>;
  screen: TerminalSettings;
  /** Values of `--timeout` and `--retries`. */
  timeout: string | undefined;
  retries: string | undefined;
}

/** Every setting that more than one place can give, for one environment: its value, where it came from and what it beat. */
export function explainSettings(input: ExplainInput, environment?: string): ExplainedSetting[] {
  const { environments, variables, screen } = input;
  const { name, url, protected: isProtected } = environments.describe(environment);
  const flag = (name: string, value: string | undefined) =>
    candidate(value, { kind: 'flag', name });
  const settings: Record<string, Setting<string | number | boolean | undefined>> = {
    environment: environments.selected(),
    url,
    protected: isProtected,
    key: resolveKey(input, name, url.value),
    output: input.format,
    color: screen.color,
    columns: screen.columns,
    'no-input': screen.noInput,
    timeout: resolveSetting([flag('--timeout', input.timeout)], '30s'),
    retries: resolveSetting([flag('--retries', input.retries)], '2'),
    proxy: resolveProxy(variables, url.value),
    'config file': resolveConfigFile(variables),
  };
  return Object.entries(settings).map(([setting, { beat, ...winner }]) => ({
    setting,
    ...explain(winner),
    beat: beat.map(explain),
  }));
}

function explain({ value, source }: Candidate<string | number | boolean | undefined>) {
  return { value: value === undefined ? null : String(value), source };
}

function resolveKey(
  { keys }: ExplainInput,
  name: string,
  url: string | undefined,
): Setting<string | undefined> {
  const record = keys.findRecord(name, url);
  const variables = keys.listVariables(name).map((variable) => {
    const shown = variable.kind === 'file' ? variable.value : `ending ${endOfKey(variable.value)}`;
    return candidate(shown, { kind: 'variable', name: variable.name });
  });
  const stored =
    record && candidate(`ending ${record.lastFour}`, keys.describeStorage(record.storage));
  return resolveSetting<string | undefined>([...variables, stored], undefined);
}

/** Plain http goes to this machine only, and past every proxy. */
function resolveProxy(variables: Variables, url: string | undefined): Setting<string | undefined> {
  const isLocal = url !== undefined && URL.canParse(url) && isLoopback(new URL(url));
  const names = isLocal ? [] : ['https_proxy', 'HTTPS_PROXY'];
  return resolveSetting<string | undefined>(
    names.map((name) => candidate(stripCredentials(variables[name]), { kind: 'variable', name })),
    undefined,
  );
}

/** A proxy's URL may hold a password. */
function stripCredentials(proxy: string | undefined): string | undefined {
  if (!proxy) return undefined;
  return URL.canParse(proxy) ? new URL(proxy).origin : '(not a URL)';
}

function resolveConfigFile(variables: Variables): Setting<string> {
  const { PETSTORE_CONFIG_DIR, ...others } = variables;
  const { XDG_CONFIG_HOME, ...rest } = others;
  return resolveSetting(
    [
      candidate(PETSTORE_CONFIG_DIR && findPaths(variables).configFile, {
        kind: 'variable',
        name: 'PETSTORE_CONFIG_DIR',
      }),
      candidate(XDG_CONFIG_HOME && findPaths(others).configFile, {
        kind: 'variable',
        name: 'XDG_CONFIG_HOME',
      }),
    ],
    findPaths(rest).configFile,
  );
}

import path from 'node:path';
import type { OutputFormat } from '../../contract/output-formats.ts';
import type { ExplainedSetting } from '../../contract/outputs/environments.ts';
import type { Environments } from '../environments/environments.ts';
import { findConfigFolder, findPaths } from '../files/paths.ts';
import { type Keys, lastFourOf, storageSource } from '../keys/keys.ts';
import type { Variables } from '../variables.ts';
import { findProxy, stripCredentials } from './proxy.ts';
import { type Candidate, candidate, resolveSetting, type Setting } from './setting.ts';
import type { TerminalSettings } from './terminal-settings.ts';

interface Limits {
  timeout: string | undefined;
  retries: string | undefined;
}

type AnySetting = Setting<string | number | boolean | undefined>;

/** Settings as the program itself resolved them, and what else it takes to explain them. */
export interface ExplainInput {
  environments: Environments;
  keys: Keys;
  variables: Variables;
  format: Setting<OutputFormat>;
  terminal: TerminalSettings;
  history: Setting<boolean>;
  /** Of requests, as people write them: what the flags say, and what applies without them. */
  limits: { given: Limits; defaults: Limits };
}

/** Every setting that more than one source can give, for one environment: its value, its source and what that overrides. */
export function explainSettings(input: ExplainInput, environment?: string): ExplainedSetting[] {
  const { environments, variables, terminal } = input;
  const { name, url, protected: isProtected } = environments.describe(environment);
  const settings: Record<string, AnySetting> = {
    environment: environments.selected(),
    url,
    protected: isProtected,
    key: resolveKey(input, name, url.value),
    output: input.format,
    color: terminal.color,
    columns: terminal.columns,
    'no-input': terminal.noInput,
    history: input.history,
    timeout: resolveLimit(input, 'timeout'),
    retries: resolveLimit(input, 'retries'),
    proxy: mapSetting(findProxy(variables, url.value).setting, hideCredentials),
    'config file': mapSetting(findConfigFolder(variables), (folder) =>
      path.join(folder, 'config.json'),
    ),
  };
  return Object.entries(settings).map(([setting, { overridden, ...effective }]) => ({
    setting,
    ...explain(effective),
    overridden: overridden.map(explain),
  }));
}

function resolveLimit({ limits }: ExplainInput, name: keyof Limits): AnySetting {
  const flag = candidate(limits.given[name], { kind: 'flag', name: `--${name}` });
  return resolveSetting<string | undefined>([flag], limits.defaults[name]);
}

function explain({ value, source }: Candidate<string | number | boolean | undefined>) {
  return { value: value === undefined ? null : String(value), source };
}

function resolveKey(
  { keys, variables }: ExplainInput,
  name: string,
  url: string | undefined,
): Setting<string | undefined> {
  const record = keys.stored.findRecord(name, url);
  const given = keys.listVariables(name).map((variable) => {
    const shown =
      variable.kind === 'file' ? variable.value : `ending ${lastFourOf(variable.value)}`;
    return candidate(shown, { kind: 'variable', name: variable.name });
  });
  const stored =
    record &&
    candidate(
      `ending ${record.lastFour}`,
      storageSource(record.storage, findPaths(variables).keyFile),
    );
  return resolveSetting<string | undefined>([...given, stored], undefined);
}

/** A proxy's URL may contain a password. */
function hideCredentials(proxy: string | undefined): string | undefined {
  return proxy && stripCredentials(proxy);
}

function mapSetting<T>({ overridden, ...effective }: Setting<T>, map: (value: T) => T): Setting<T> {
  const change = ({ value, source }: Candidate<T>) => ({ value: map(value), source });
  return { ...change(effective), overridden: overridden.map(change) };
}

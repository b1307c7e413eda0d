import { type ConfigFile, readConfigFile } from '../config/config-file.ts';
import { createEnvironments, type Environments } from '../config/environments.ts';
import { createKeyFile } from '../config/key-file.ts';
import { createKeys, type Keys } from '../config/keys.ts';
import { resolveFormat } from '../config/output-settings.ts';
import { findPaths, type Paths, type Variables } from '../config/paths.ts';
import { readScreenSettings } from '../config/screen-settings.ts';
import { createStoredKeys } from '../config/stored-keys.ts';
import { createPrompt, type Prompt } from '../terminal/prompt.ts';
import { createRedactor, type Redactor } from '../terminal/redactor.ts';
import { createTerminal, type Terminal } from '../terminal/terminal.ts';
import type { Edges } from './edges.ts';
import { findFormatFlag, type GlobalOptions, toVerbosity } from './global-options.ts';

/** What every command is given. Parts that cost time or can fail are functions: `--help` works without them. */
export interface Context {
  terminal: Terminal;
  prompt: Prompt;
  environments: Environments;
  keys: Keys;
  /** The time now. */
  clock: () => Date;
  /** Aborted when the program is asked to stop. */
  signal: AbortSignal;
  paths: Paths;
  /** Passed on to the service, which settles its own settings; everything else goes through config. */
  variables: Edges['variables'];
  /** The global options as given. */
  options: GlobalOptions;
}

/** Makes the context of one run. @throws UserError when the options contradict each other or the format is unknown. */
export function createContext(edges: Edges, options: GlobalOptions): Context {
  const { variables, clock, signal } = edges;
  const paths = findPaths(variables);
  const readConfig = once(() => readConfigFile(paths.configFile));
  const redactor = createRedactor();
  keepVariablesSecret(redactor, variables);
  const config = { variables, configFile: paths.configFile, readConfig };
  const format = resolveFormat({
    ...config,
    readConfig: orElse(readConfig, {}),
    flag: findFormatFlag(options),
  });
  const terminal = openTerminal(edges, options, redactor, format.value);
  return {
    terminal,
    prompt: edges.prompt ?? createPrompt(edges.stdin, edges.stderr, signal),
    environments: createEnvironments({ ...config, flag: options.env }),
    keys: openKeys(edges, terminal, { ...config, keyFile: paths.keyFile }),
    clock,
    signal,
    paths,
    variables,
    options,
  };
}

/** Keys that are never written: whichever is found is taken out of all output from then on. */
function openKeys(
  edges: Edges,
  terminal: Terminal,
  config: { variables: Variables; configFile: string; keyFile: string; readConfig(): ConfigFile },
): Keys {
  const { variables } = edges;
  const keychain = edges.openKeychain({
    variables,
    canAsk: terminal.canAsk,
    onWait: () => terminal.warn('Waiting for the OS keychain; it may be asking you to unlock it.'),
  });
  const stored = createStoredKeys({ ...config, keychain, keyFile: createKeyFile(config.keyFile) });
  const keys = createKeys({ variables, stored, keyFile: config.keyFile });
  return {
    ...keys,
    find: async (target) => {
      const key = await keys.find(target);
      terminal.keepSecret(key.value);
      return key;
    },
  };
}

/** The terminal alone, for failures that come before there is a context. */
export function openTerminal(
  edges: Edges,
  options: GlobalOptions,
  redactor: Redactor,
  format: Terminal['format'],
): Terminal {
  const screen = readScreenSettings(edges.variables);
  return createTerminal({
    stdin: edges.stdin,
    stdout: edges.stdout,
    stderr: edges.stderr,
    redactor,
    format,
    color: options.color ?? screen.color,
    columns: screen.columns,
    isQuiet: options.quiet ?? false,
    verbosity: toVerbosity(options.verbose),
    isUnattended: options.input === false || screen.isAutomated,
  });
}

function keepVariablesSecret(redactor: Redactor, variables: Edges['variables']): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value && /^PETSTORE_(\w+_)?API_KEY$/.test(name)) redactor.keepSecret(value.trim());
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** For what can do without: the command that needs the value meets the failure itself. */
function orElse<T>(make: () => T, fallback: T): () => T {
  return () => {
    try {
      return make();
    } catch {
      return fallback;
    }
  };
}

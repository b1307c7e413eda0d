import type { ClientOptions } from '../../client/client.ts';
import { createEnvironments, type Environments } from '../../config/environments/environments.ts';
import { readConfigFile } from '../../config/files/config-file.ts';
import { findPaths, type Paths } from '../../config/files/paths.ts';
import { openStateFile, type StateFile } from '../../config/files/state-file.ts';
import type { Keychain, KeychainInput } from '../../config/keys/keychain.ts';
import type { Keys } from '../../config/keys/keys.ts';
import type { Setting } from '../../config/settings/setting.ts';
import { resolveFormat } from '../../config/settings/terminal-settings.ts';
import type { Variables } from '../../config/variables.ts';
import type { OutputFormat } from '../../contract/output-formats.ts';
import { createPrompt } from '../../terminal/prompts/create-prompt.ts';
import type { Prompt } from '../../terminal/prompts/prompt.ts';
import type { OutputStream } from '../../terminal/sink.ts';
import type { InputStream, Terminal } from '../../terminal/terminal.ts';
import type { ProgramNode } from '../command-tree.ts';
import { findFormatFlag, type GlobalOptions } from '../global-options.ts';
import { type Connection, createConnection } from './connection.ts';
import { createHostKeys } from './host-keys.ts';
import { openTerminal } from './open-terminal.ts';

/** Everything outside the program that it touches. `run.ts` gives the real ones, a test its own. */
export interface Host {
  /** Read only when asked for, by `-` or a flag that says so. */
  stdin: InputStream;
  stdout: OutputStream;
  stderr: OutputStream;
  /** Read by config, and by the service for its own settings. */
  variables: Variables;
  /** The time now. */
  clock: () => Date;
  /** Aborted when the person or the system asks the program to stop; the reason is an `Interruption`. */
  signal: AbortSignal;
  /** Has SIGHUP call a listener in place of ending the program, until the returned function is called. */
  handleHangup(listener: () => void): () => void;
  /** Prompts in place of a real terminal. */
  prompt?: Prompt;
  /** The keychain of the operating system; nothing of it is touched before its first call. */
  openKeychain(input: Omit<KeychainInput, 'child' | 'started'>): Promise<Keychain>;
  /** Called when a key was found elsewhere: what was started ahead to read the keychain is not needed. */
  forgoKeychain?(): void;
  /** Carries requests in place of the network, for failures that no server can be made to cause. */
  dispatcher?: ClientOptions['dispatcher'];
}

/** Why the program was asked to stop. */
export interface Interruption {
  signal: 'SIGHUP' | 'SIGINT' | 'SIGTERM';
}

/** What every command is given. Parts that cost time or can fail are functions: `--help` works without them. */
export interface Context
  extends Connection,
    Readonly<Pick<Host, 'stdin' | 'clock' | 'signal' | 'handleHangup' | 'variables'>> {
  terminal: Terminal;
  prompt: Prompt;
  environments: Environments;
  keys: Keys;
  paths: Paths;
  /** Conveniences remembered between runs. */
  state: StateFile;
  /** The output format and where it comes from. */
  format: Setting<OutputFormat>;
  /** Has the config file read again, after this run changed it. */
  reloadConfig(): void;
  /** All that can be typed, as it was declared. */
  describeProgram(): Promise<ProgramNode>;
  /** The global options as given. */
  options: GlobalOptions;
}

/** Creates the context of one run. @throws UserError when the options contradict each other or the format is unknown. */
export function createContext(
  host: Host,
  options: GlobalOptions,
  describeProgram: Context['describeProgram'],
): Context {
  const { variables, clock, signal } = host;
  const paths = findPaths(variables);
  let readFile = once(() => readConfigFile(paths.configFile));
  const readConfig = () => readFile();
  const config = { variables, configFile: paths.configFile, readConfig };
  const format = resolveFormat({
    ...config,
    readConfig: () => {
      try {
        return readConfig();
      } catch {
        // A command that needs the file meets the failure itself.
        return {};
      }
    },
    flag: findFormatFlag(options),
  });
  const terminal = openTerminal(host, options, format.value);
  const environments = createEnvironments({ ...config, flag: options.env, startedAt: clock() });
  const keys = createHostKeys(host, {
    configFile: paths.configFile,
    keyFile: paths.keyFile,
    readConfig,
    terminal,
  });
  const state = openStateFile(paths.stateFolder);
  return {
    ...createConnection(host, { options, terminal, environments, keys, state }),
    terminal,
    get stdin() {
      return host.stdin;
    },
    prompt:
      host.prompt ??
      createPrompt(host, {
        signal,
        isAccessible: terminal.isAccessible,
        columns: terminal.stderr.columns,
      }),
    environments,
    keys,
    clock,
    signal,
    handleHangup: host.handleHangup,
    paths,
    state,
    variables,
    format,
    reloadConfig() {
      readFile = once(() => readConfigFile(paths.configFile));
    },
    describeProgram,
    options,
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

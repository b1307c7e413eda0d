import type { Command } from 'commander';
import type { PetstoreClient } from '../client/petstore-client.ts';
import type { ConfigFile } from '../config/config-file.ts';
import type { Environment } from '../config/environments.ts';
import type { FoundKey } from '../config/keys.ts';
import type { Variables } from '../config/variables.ts';
import type { Prompts } from '../terminal/prompts.ts';
import type { InputStream, Terminal } from '../terminal/terminal.ts';
import type { GlobalOptions } from './options.ts';

/** What every command is given. What costs time or can fail is a function: help works without it. */
export interface Context {
  readonly terminal: Terminal;
  readonly prompts: Prompts;
  readonly options: GlobalOptions;
  readonly variables: Variables;
  readonly config: ConfigFile;
  readonly argv: readonly string[];
  readonly stdin: InputStream;
  readonly signal: AbortSignal;
  handleHangup(listener: () => void): void;
  /** The environment of this command, asked for where it may be. On a terminal says once where that is. */
  findEnvironment(): Promise<Environment>;
  /** The same with its key and a client. A signal ends what is in flight, except for writes that are to be finished. */
  connect(options?: { readonly finishesWrites: boolean }): Promise<Connection>;
  loadProgram(): Promise<Command>;
  readonly found: Partial<Connection>;
  close(): Promise<void>;
}

export interface Connection {
  readonly environment: Environment;
  readonly key: FoundKey;
  readonly client: PetstoreClient;
}

export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  load(): Promise<CommandModule>;
}

interface CommandModule {
  /** Declares arguments, options and actions; for a group also its verbs. */
  declare(command: Command, run: RunAction): void;
}

/** Makes commander call an action with the context first, then the arguments, then the options. */
export type RunAction = <Words extends unknown[]>(
  action: (context: Context, ...words: Words) => Promise<void>,
) => (...words: Words) => Promise<void>;

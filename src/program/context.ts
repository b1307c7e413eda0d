import type { Command } from 'commander';
import type { ClientOptions, PetstoreClient } from '../client/petstore-client.ts';
import { readConfig } from '../config/config-file.ts';
import { type Environment, type Resolution, resolveEnvironment } from '../config/environments.ts';
import { type FoundKey, openKeys } from '../config/keys.ts';
import { findProxy } from '../config/proxy.ts';
import { environmentVariable, type Variables } from '../config/variables.ts';
import { UserError } from '../errors.ts';
import { createPrompts, type Prompts } from '../terminal/prompts.ts';
import type { InputStream, Streams, Terminal } from '../terminal/terminal.ts';
import type { GlobalOptions } from './options.ts';
import { formatRepeat } from './repeat-line.ts';
import type { Signals } from './signals.ts';
import { traceRequests } from './trace-requests.ts';

/** What every command is given. What costs time or can fail is a function: help works without it. */
export interface Context {
  readonly terminal: Terminal;
  readonly prompts: Prompts;
  readonly options: GlobalOptions;
  readonly variables: Variables;
  /** The words that were typed after `petstore`. */
  readonly argv: readonly string[];
  /** Read only where `-` or a flag asks for it. */
  readonly stdin: InputStream;
  /** Aborted by Ctrl-C, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  /** Calls `listener` on SIGHUP in place of ending the program. */
  handleHangup(listener: () => void): void;
  /** The environment of this command, asked for where it may be. On a terminal says once where that is. */
  findEnvironment(): Promise<Environment>;
  /**
   * The same with its key and a client. A signal ends what is in flight, unless the command has its own way to stop.
   */
  connect(options?: { readonly endsOnSignal: boolean }): Promise<Connection>;
  /** The whole command line as it was declared. */
  loadProgram(): Promise<Command>;
  /** As far as they were found: what an error can say. */
  readonly found: Partial<Connection>;
  close(): Promise<void>;
}

export interface Connection {
  readonly environment: Environment;
  readonly key: FoundKey;
  readonly client: PetstoreClient;
}

export interface ContextOptions
  extends Pick<Context, 'terminal' | 'options' | 'variables' | 'argv' | 'loadProgram'>,
    Pick<Signals, 'signal' | 'handleHangup'> {
  readonly streams: Streams;
}

export function createContext({ streams, ...run }: ContextOptions): Context {
  let found: Partial<Connection> = {};
  const context: Context = {
    ...run,
    prompts: createPrompts(streams, run.signal),
    get stdin() {
      return streams.stdin;
    },
    get found() {
      return found;
    },
    async findEnvironment() {
      if (found.environment !== undefined) return found.environment;
      const environment = await chooseEnvironment(context);
      found = { environment };
      announceEnvironment(context.terminal, environment);
      return environment;
    },
    async connect({ endsOnSignal } = { endsOnSignal: true }) {
      const environment = await context.findEnvironment();
      // Loaded while the keychain responds.
      const [key, { createPetstoreClient }] = await Promise.all([
        found.key ?? findKey(context, environment),
        import('../client/petstore-client.ts'),
      ]);
      found = { environment, key };
      const clientOptions = readClientOptions(context, environment, key);
      const client = createPetstoreClient(
        endsOnSignal ? clientOptions : { ...clientOptions, signal: undefined },
      );
      const connection = { environment, key, client };
      found = connection;
      return connection;
    },
    async close() {
      await found.client?.close();
    },
  };
  return context;
}

type Unresolved = Exclude<Resolution, { kind: 'found' }>;

/** With several and none selected a terminal asks; with none at all it starts the conversation of `login`. */
async function chooseEnvironment(context: Context): Promise<Environment> {
  const { options, variables, terminal, prompts, argv } = context;
  const resolve = (environmentOption: string | undefined) =>
    resolveEnvironment({ config: readConfig(variables), variables, environmentOption });
  const first = resolve(options.env);
  if (first.kind === 'found') return first.environment;
  if (!terminal.isInteractive) throw refuse(first, argv);
  if (first.kind === 'unselected') {
    const choices = first.names.map((name) => ({ name, value: name }));
    const second = resolve(await prompts.askChoice('Which store?', choices));
    if (second.kind === 'found') return second.environment;
  }
  const { signIn } = await import('./sign-in.ts');
  return await signIn(context);
}

function refuse(resolution: Unresolved, argv: readonly string[]): UserError {
  if (resolution.kind === 'unselected')
    return new UserError('cli_usage', 'Several environments are set up, and none is selected.', {
      try: resolution.names.map((name) => formatRepeat(argv, { '--env': name })),
    });
  const { name } = resolution;
  const message = name === undefined ? 'No environment is set up.' : `${name} has no address.`;
  const variable = environmentVariable(name ?? 'staging', 'URL');
  return new UserError('cli_no_url', message, {
    details: [`Set ${variable} to the address of your pet store, or sign in on a terminal.`],
    try: [name === undefined ? 'petstore login' : `petstore login --env ${name}`],
  });
}

function announceEnvironment(terminal: Terminal, environment: Environment): void {
  const { name, baseUrl, isProtected } = environment;
  terminal.notice(`${name} at ${baseUrl.host}${isProtected ? ', protected' : ''}`);
}

async function findKey(context: Context, environment: Environment): Promise<FoundKey> {
  const { variables, terminal, signal } = context;
  const onWait = () => terminal.notice('Waiting for the keychain. Does a window ask to unlock it?');
  const { isInteractive } = terminal;
  return await openKeys({ variables, isInteractive, onWait, signal }).find(environment);
}

function readClientOptions(
  { options, variables, signal, terminal }: Context,
  { baseUrl }: Environment,
  key: FoundKey,
): ClientOptions {
  const { timeout, retries, verbose = 0 } = options;
  const observe = verbose > 0 ? traceRequests(terminal, verbose) : undefined;
  return {
    ...{ baseUrl, signal, retries, observe },
    apiKey: key.text,
    timeoutMs: timeout,
    proxy: findProxy(variables, baseUrl),
  };
}

import { type Environment, resolveEnvironment } from '../config/environments.ts';
import type { FoundKey } from '../config/keys.ts';
import { UserError } from '../errors.ts';
import { createPrompts } from '../terminal/prompts.ts';
import type { Streams, Terminal } from '../terminal/terminal.ts';
import { openContextKeys, readClientOptions, readEnvironmentSettings } from './connect.ts';
import type { Connection, Context } from './context.ts';
import { explainUnresolved } from './next-lines.ts';
import type { Signals } from './signals.ts';

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
    async connect({ finishesWrites } = { finishesWrites: false }) {
      const environment = await context.findEnvironment();
      // Loaded while the keychain responds.
      const [key, { createPetstoreClient }] = await Promise.all([
        found.key ?? findKey(context, environment),
        import('../client/petstore-client.ts'),
      ]);
      found = { environment, key };
      const clientOptions = readClientOptions(context, environment.baseUrl, key.text);
      const client = createPetstoreClient({ ...clientOptions, finishesWrites });
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

/** With several and none selected a terminal asks; with none at all it starts the conversation of `login`. */
async function chooseEnvironment(context: Context): Promise<Environment> {
  const { terminal, prompts } = context;
  const settings = readEnvironmentSettings(context);
  const first = resolveEnvironment(settings);
  if (first.kind === 'found') return first.environment;
  if (!terminal.isInteractive) throw explainUnresolved(context, first);
  if (first.kind === 'unselected') {
    const choices = first.names.map((name) => ({ name, value: name }));
    const environmentOption = await prompts.askChoice('Which store?', choices);
    const second = resolveEnvironment({ ...settings, environmentOption });
    if (second.kind === 'found') return second.environment;
  }
  const { signIn } = await import('./sign-in.ts');
  return await signIn(context);
}

function announceEnvironment(terminal: Terminal, environment: Environment): void {
  const { name, baseUrl, isProtected } = environment;
  terminal.notice(`${name} at ${baseUrl.host}${isProtected ? ', protected' : ''}`);
}

/** Where no key is stored, a terminal asks for it and goes on. */
async function findKey(context: Context, environment: Environment): Promise<FoundKey> {
  const keys = openContextKeys(context);
  try {
    return await keys.find(environment);
  } catch (error) {
    const isMissing = error instanceof UserError && error.code === 'cli_no_key';
    if (!isMissing || !context.terminal.isInteractive) throw error;
    const { signIn } = await import('./sign-in.ts');
    await signIn(context, { name: environment.name });
    return await keys.find(environment);
  }
}

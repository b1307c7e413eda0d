import { type Environment, resolveEnvironment } from '../config/environments.ts';
import { type FoundKey, findKeyVariable } from '../config/keys.ts';
import { UserError } from '../errors.ts';
import { createPrompts } from '../terminal/prompts.ts';
import type { Streams, Terminal } from '../terminal/terminal.ts';
import { formatProtection } from './confirm.ts';
import {
  chooseEnvironmentName,
  openContextKeys,
  readClientOptions,
  readEnvironmentSettings,
} from './connect.ts';
import type { Connection, Context } from './context.ts';
import { explainUnresolved } from './next-lines.ts';
import type { SignedIn } from './sign-in.ts';
import type { Signals } from './signals.ts';

export interface ContextOptions
  extends Pick<Context, 'terminal' | 'options' | 'variables' | 'config' | 'argv' | 'loadProgram'>,
    Omit<Signals, 'resend'> {
  readonly streams: Streams;
}

export function createContext({ streams, suspend, hangUp, ...run }: ContextOptions): Context {
  let found: Partial<Connection> = {};
  const { signal, terminal } = run;
  const findMark = () => {
    const { environment } = found;
    if (environment?.isProtected) return `${environment.name}, ${formatProtection(environment)}`;
    return undefined;
  };
  const context: Context = {
    ...run,
    prompts: createPrompts(streams, { screen: terminal.stderr, signal, suspend, hangUp, findMark }),
    get stdin() {
      return streams.stdin;
    },
    get found() {
      return found;
    },
    async findEnvironment() {
      if (found.environment !== undefined) return found.environment;
      const chosen = await chooseEnvironment(context);
      found = chosen;
      announceEnvironment(context.terminal, chosen.environment);
      return chosen.environment;
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

/** Where the one that is meant has no address, a terminal starts the conversation of `login`. */
async function chooseEnvironment(context: Context): Promise<SignedIn> {
  const settings = readEnvironmentSettings(context);
  const name = await chooseEnvironmentName(context, settings);
  const resolution = resolveEnvironment(settings, name);
  if (resolution.kind === 'found') return { environment: resolution.environment };
  if (!context.terminal.isInteractive) throw explainUnresolved(context, resolution);
  const { signIn } = await import('./sign-in.ts');
  return await signIn(context);
}

function announceEnvironment(terminal: Terminal, environment: Environment): void {
  const { name, baseUrl, isProtected } = environment;
  const protection = isProtected ? `, ${formatProtection(environment)}` : '';
  terminal.notice(`${name} at ${baseUrl.host}${protection}`, { needsCare: isProtected });
}

/** Where no key is stored, a terminal asks for it and goes on; one that a variable gives would override it. */
async function findKey(context: Context, environment: Environment): Promise<FoundKey> {
  const keys = openContextKeys(context);
  try {
    return await keys.find(environment);
  } catch (error) {
    const isMissing = error instanceof UserError && error.code === 'cli_no_key';
    const isGiven = findKeyVariable(context.variables, environment.name) !== undefined;
    if (!isMissing || isGiven || !context.terminal.isInteractive) throw error;
    const { signIn } = await import('./sign-in.ts');
    const { key } = await signIn(context, { name: environment.name });
    return key ?? (await keys.find(environment));
  }
}

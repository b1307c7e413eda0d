import type { ClientOptions, Probe, RequestEvent } from '../client/petstore-client.ts';
import {
  type EnvironmentSettings,
  findSelectedName,
  listConfiguredNames,
} from '../config/environments.ts';
import { type Keys, openKeys } from '../config/keys.ts';
import { findProxy } from '../config/proxy.ts';
import { fitWords, type Terminal } from '../terminal/terminal.ts';
import type { Context } from './context.ts';
import { explainUnresolved } from './next-lines.ts';

/** What environments are resolved from, as it is now. */
export function readEnvironmentSettings(context: Context): EnvironmentSettings {
  const { config, variables, options } = context;
  return { config: config.read(), variables, environmentOption: options.env };
}

/** Which environment is meant: the selected one, else a terminal asks. Undefined where none has an address. */
export async function chooseEnvironmentName(
  context: Context,
  settings: EnvironmentSettings,
): Promise<string | undefined> {
  const selected = findSelectedName(settings);
  const names = listConfiguredNames(settings);
  if (selected !== undefined || names.length === 0) return selected;
  if (!context.terminal.isInteractive) {
    throw explainUnresolved(context, { kind: 'unselected', names });
  }
  const choices = names.map((name) => ({ name, value: name }));
  return await context.prompts.askChoice('Which store?', choices);
}

/** The keys of this person; at a terminal the keychain may take its time. */
export function openContextKeys({ variables, config, terminal, signal }: Context): Keys {
  const onWait = () =>
    terminal.notice('Waiting for the keychain. Is a window asking you to unlock it?');
  const onLeft = () =>
    terminal.warn(
      'cli_key_left',
      'This computer has no keychain to remove the key from; petstore no longer uses it.',
    );
  const { isInteractive } = terminal;
  return openKeys({ variables, config, isInteractive, onWait, onLeft, signal });
}

/** How this command line talks to the service at an address. */
export function readClientOptions(
  { options, variables, signal, terminal }: Context,
  baseUrl: URL,
  apiKey: string | undefined,
): ClientOptions {
  const { timeout, retries, verbose = 0 } = options;
  const observe = verbose > 0 ? traceRequests(terminal, verbose) : undefined;
  const proxy = findProxy(variables, baseUrl);
  return { baseUrl, apiKey, signal, retries, observe, proxy, timeoutMs: timeout };
}

/** One request to an address, with or without a key. @throws RequestError where no pet store responds. */
export async function probe(
  context: Context,
  baseUrl: URL,
  options: Pick<ClientOptions, 'apiKey' | 'timeoutMs'> = {},
): Promise<Probe> {
  const { createPetstoreClient } = await import('../client/petstore-client.ts');
  const client = createPetstoreClient({
    ...readClientOptions(context, baseUrl, options.apiKey),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
  });
  try {
    return await client.probe();
  } finally {
    await client.close();
  }
}

/** Writes requests and responses to stderr: with `-v` a line for each, with `-vv` their headers and bodies too. */
function traceRequests(terminal: Terminal, verbosity: number): (event: RequestEvent) => void {
  const write = (mark: string, text: string) =>
    terminal.writeError(`${mark} ${fitWords(text, terminal.stderr, '  ')}\n`);
  const writeMessage = (mark: string, { headers, body }: HttpMessage) => {
    if (verbosity < 2) return;
    for (const [name, value] of Object.entries(headers)) write(mark, `${name}: ${value}`);
    for (const line of body?.split('\n') ?? []) write(mark, line);
  };
  return (event) => {
    const { method, url, id } = event.request;
    if (event.kind === 'request') {
      write('>', `${method} ${url} (request ${id})`);
      writeMessage('>', event);
    } else if (event.kind === 'response') {
      write('<', `${event.status} (${Math.round(event.ms)} ms)`);
      writeMessage('<', event);
    } else if (event.kind === 'failure') {
      write('<', `${event.reason} (${Math.round(event.ms)} ms)`);
    } else {
      write('*', `retrying in ${Math.round(event.delayMs)} ms: ${event.reason}`);
    }
  };
}

interface HttpMessage {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string | undefined;
}

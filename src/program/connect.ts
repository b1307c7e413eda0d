import type { Probe } from '../client/petstore-client.ts';
import type { ClientOptions, Trace } from '../client/request.ts';
import {
  type EnvironmentSettings,
  findSelectedName,
  listConfiguredNames,
} from '../config/environments.ts';
import { type Keys, openKeys } from '../config/keys.ts';
import { findProxy } from '../config/proxy.ts';
import { openWaiting } from '../terminal/progress.ts';
import { fitWords, type Terminal } from '../terminal/terminal.ts';
import type { Context } from './context.ts';
import { explainUnresolved } from './next-lines.ts';

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

/** Where a variable makes what is stored useless. @param effect in words behind "is set, and". */
export function warnOfVariable(
  { terminal, variables }: Context,
  variable: string | undefined,
  effect: string,
): void {
  if (variable === undefined || !variables[variable]) return;
  terminal.warn('cli_overridden', `${variable} is set, and ${effect}.`);
}

export function readClientOptions(
  { options, variables, signal, terminal }: Context,
  baseUrl: URL,
  apiKey: string | undefined,
): ClientOptions {
  const { timeout, retries, verbose = 0 } = options;
  const trace = verbose > 0 ? createTrace(terminal) : traceWaiting(terminal, baseUrl.host);
  const proxy = findProxy(variables, baseUrl);
  const tracesBodies = verbose > 1;
  return { baseUrl, apiKey, signal, retries, trace, tracesBodies, proxy, timeoutMs: timeout };
}

/** In place of a trace: a sign of life while a response is waited for. */
function traceWaiting(terminal: Terminal, host: string): Trace | undefined {
  if (!terminal.hasNotices) return undefined;
  const waiting = openWaiting(terminal, `Waiting for ${host} …`);
  return (mark) => {
    if (mark === '>') waiting.start();
    if (mark === '<') waiting.end();
  };
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

function createTrace(terminal: Terminal): Trace {
  return (mark, text) => terminal.writeError(`${mark} ${fitWords(text, terminal.stderr, '  ')}\n`);
}

import { once } from 'node:events';
import type { Command } from 'commander';
import { type CommandLine, UserError } from '../errors.ts';
import type { Context, RunAction } from '../program/context.ts';
import { describeCommand } from '../program/help.ts';
import { repeatLine } from '../program/next-lines.ts';
import { isPortInUse } from '../service/listen.ts';
import type { ServeSettings } from '../service/settings.ts';
import type { RunningService, StartOptions } from '../service/start.ts';
import type { Store } from '../service/storage/store.ts';
import { databaseOption, findDatabase } from './shared/database.ts';
import { printKey, requireStdout } from './shared/print-key.ts';

export function declare(command: Command, run: RunAction): void {
  describeCommand(command, {
    sentence: 'Run the pet service. Options are variables too, such as PETSTORE_SERVE_PORT.',
    examples: [
      'petstore serve --seed',
      'petstore serve --database sqlite:/var/lib/petstore/petstore.db',
    ],
    also: '--json, -q',
  })
    .option('--port <n>', 'port to listen on, 0 for a free one (8080)')
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .addOption(databaseOption())
    .option('--seed', 'put sample pets and a one-day key into a new database')
    .option('--as-of <date>', 'treat getPet as on this date, to rehearse its removal')
    .option('--tls-cert <file>', 'certificate chain in PEM; read again on SIGHUP')
    .option('--tls-key <file>', 'private key in PEM')
    .option('--behind-proxy', 'a proxy in front ends TLS: plain HTTP on any address')
    .option('--metrics-port <n>', 'serve /metrics on 127.0.0.1 at this port')
    .option('--log-level <level>', 'debug, info, warn, error or silent (info)')
    .option('--no-docs', 'serve neither /docs nor /openapi.json')
    .action(run(serve));
}

/** The service may take ten seconds to stop; what still hangs then, such as a disk, must not keep the process. */
const LAST_MS = 500;

async function serve(context: Context, options: Readonly<Record<string, unknown>>): Promise<void> {
  const { terminal, variables, signal } = context;
  const { parseServeSettings } = await import('../service/settings.ts');
  // Commander says true where --no-docs is not given, which is not more than a variable says.
  const flags = { ...options, docs: options.docs === false ? false : undefined };
  const settings = parseServeSettings({ flags, variables });
  if (settings.seed) requireStdout();
  const service = await start(context, settings);
  context.handleHangup(service.reloadTls);
  const origin = new URL(service.url).origin;
  terminal.notice(`The pet store is at ${origin}. Press Ctrl-C to stop it.`);
  if (settings.docs) terminal.notice(`The API is described at ${origin}/docs.`);
  if (!signal.aborted) await once(signal, 'abort');
  await service.close();
  setTimeout(() => process.exit(), LAST_MS).unref();
}

async function start(context: Context, settings: ServeSettings): Promise<RunningService> {
  const { terminal } = context;
  const { openStore } = await import('../service/storage/open-store.ts');
  const { openLog } = await import('../service/log.ts');
  const database = findDatabase(context, settings);
  const people = terminal.stderr.isTerminal ? terminal.stderr : undefined;
  const { log, close: closeLog } = await openLog({ level: settings.logLevel, people });
  const store = await openStore(database, { isExclusive: true });
  const service = await listen(context, settings, { store, log });
  const close = () => service.close().then(closeLog);
  try {
    if (settings.seed) await seed(context, store);
    else if ((await store.listKeys()).length === 0)
      log.warn('there is no API key yet: petstore keys create --name <label>');
    return { ...service, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Prints the key alone on stdout: it is shown only now. */
async function seed({ terminal }: Context, store: Store): Promise<void> {
  const { seedStore } = await import('../service/storage/seed.ts');
  terminal.notice('An API key for a day, for petstore login in a second terminal:');
  await seedStore(store, new Date(), (key) => printKey(() => terminal.write(`${key}\n`)));
}

/** Closes the store where it fails. */
async function listen(
  context: Context,
  settings: ServeSettings,
  parts: Pick<StartOptions, 'store' | 'log'>,
): Promise<RunningService> {
  const { startService } = await import('../service/start.ts');
  const { requireNoPets } = await import('../service/storage/seed.ts');
  try {
    if (settings.seed) await requireNoPets(parts.store);
    return await startService({ ...parts, settings, clock: () => new Date() });
  } catch (error) {
    await parts.store.close();
    if (!(error instanceof UserError) || !isPortInUse(error.cause)) throw error;
    const line = suggestLine(context.argv, settings);
    throw new UserError('cli_listen', error.message, { try: [line], cause: error.cause });
  }
}

/** The same line with other ports, unless it holds a database URL, which may have a password. */
function suggestLine(
  argv: readonly string[],
  { port, metricsPort }: StartOptions['settings'],
): CommandLine {
  if (argv.some((word) => /^(--database=)?postgres/i.test(word)))
    return ['petstore', 'serve', '--help'];
  return repeatLine(argv, {
    '--port': nextPort(port),
    ...(metricsPort !== undefined && { '--metrics-port': nextPort(metricsPort) }),
  });
}

function nextPort(port: number): string {
  return String(port === 0 ? 0 : (port % 65_535) + 1);
}

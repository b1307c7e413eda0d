import { UserError } from '../../errors.ts';
import { formatOption, formatShellLine } from '../../terminal/text/shell-line.ts';

type SettingSources = import('../../service/settings.ts').SettingSources;

const MAX_PORT = 65_535;

/** Runs `work`, which listens, and where a port is taken suggests the same line with another. @throws UserError */
export async function explainTakenPort<Result>(
  work: () => Promise<Result>,
  sources: SettingSources,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw await toUserError(error, sources);
  }
}

async function toUserError(cause: unknown, sources: SettingSources): Promise<unknown> {
  const { ListenError } = await import('../../service/http/server/listen.ts');
  if (!(cause instanceof ListenError)) return cause;
  const { setting, port, isInUse } = cause;
  if (!isInUse)
    return new UserError('cli_listen', `The service cannot listen: ${cause.message}`, { cause });
  const free = await choosePort(port, sources);
  return new UserError('cli_listen', `Port ${port} is in use by another program.`, {
    cause,
    next: [await formatServeLine({ ...sources.flags, [setting]: String(free) })],
  });
}

/** The nearest port that this service does not use itself. */
async function choosePort(taken: number, sources: SettingSources): Promise<number> {
  const { resolveServeSettings } = await import('../../service/settings.ts');
  const { port, metricsPort } = resolveServeSettings(sources);
  const near = [taken + 1, taken + 2, taken - 1, taken - 2];
  return near.find((one) => one <= MAX_PORT && one !== port && one !== metricsPort) ?? 0;
}

/** The command line that gives these flags; a password in the URL of the database is left out of it. */
async function formatServeLine(flags: SettingSources['flags']): Promise<string> {
  const { settingNames, toFlag } = await import('../../service/settings.ts');
  const { maskDatabaseUrl } = await import('../../service/storage/database-engine.ts');
  const words = Object.entries(flags).flatMap(([name, value]) => {
    if (!settingNames.includes(name)) return [];
    if (value === true) return [toFlag(name)];
    if (value === false) return [`--no-${name}`];
    if (typeof value !== 'string') return [];
    return formatOption(toFlag(name), name === 'database' ? maskDatabaseUrl(value) : value);
  });
  return formatShellLine(['petstore', 'serve', ...words]);
}

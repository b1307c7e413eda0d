import path from 'node:path';
import * as v from 'valibot';
import { isLoopbackAddress } from './http/admission/peer-address.ts';
import { logLevels } from './monitoring/log.ts';

/** A setting of the service that cannot be used. The message has its name, its source and what is allowed. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

const portRule = 'write a port from 0 to 65535';
const Port = v.pipe(
  v.string(portRule),
  v.regex(/^\d{1,5}$/, portRule),
  v.transform(Number),
  v.maxValue(65_535, portRule),
);

const countRule = 'write a whole number from 1';
const Count = v.pipe(
  v.string(countRule),
  v.regex(/^[1-9]\d{0,5}$/, countRule),
  v.transform(Number),
);

const switchRule = 'write true or false';
const Switch = v.union(
  [v.boolean(), v.pipe(v.picklist(['true', 'false', '1', '0']), v.transform(isOn))],
  switchRule,
);

const instantRule = 'write a date such as 2030-12-06 or 2030-12-05T00:00:00Z';
const Instant = v.pipe(
  v.string(instantRule),
  v.check((text) => /^\d{4}-\d\d-\d\d(T.+)?$/.test(text), instantRule),
  v.check((text) => isCalendarDate(text.slice(0, 10)), instantRule),
  v.transform((text) => new Date(text)),
  v.check((date) => !Number.isNaN(date.getTime()), instantRule),
);

const Text = v.pipe(v.string(), v.nonEmpty('must not be empty'));

/** Every setting by its flag in camel case; its variable is PETSTORE_SERVE_ and the flag in capitals. */
const ServeSettings = v.pipe(
  v.object({
    host: v.optional(Text, '127.0.0.1'),
    port: v.optional(Port, '8080'),
    database: Text,
    seed: v.optional(Switch, false),
    asOf: v.optional(Instant),
    tlsCert: v.optional(Text),
    tlsKey: v.optional(Text),
    behindProxy: v.optional(Switch, false),
    connectionsPerAddress: v.optional(Count),
    metricsPort: v.optional(Port),
    docs: v.optional(Switch, true),
    logLevel: v.optional(
      v.picklist(logLevels, `write one of ${logLevels.join(', ')}`),
      'info' as const,
    ),
  }),
  v.check(
    ({ tlsCert, tlsKey }) => (tlsCert === undefined) === (tlsKey === undefined),
    '--tls-cert and --tls-key belong together: give both',
  ),
  v.check(
    ({ port, metricsPort }) => port === 0 || port !== metricsPort,
    '--port and --metrics-port are the same: give each a port of its own',
  ),
  v.check(
    ({ host, tlsCert, behindProxy }) => isLoopback(host) || tlsCert !== undefined || behindProxy,
    'anybody on the network could read API keys: listen on 127.0.0.1, give --tls-cert and --tls-key, ' +
      'or say --behind-proxy when something in front of it ends TLS',
  ),
);
export type ServeSettings = v.InferOutput<typeof ServeSettings>;

/** The names of the settings, as `flags` has them. */
export const settingNames = Object.keys(ServeSettings.pipe[0].entries);

export interface SettingSources {
  /** What the command line said, by flag in camel case. Strings as typed. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where the database is by default. */
  readonly dataFolder: string;
}

/** Resolves every setting: flag, else variable, else default. @throws SettingError */
export function resolveServeSettings(sources: SettingSources): ServeSettings {
  const given = Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = sources.flags[name] ?? (sources.variables[toVariable(name)] || undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const parsed = v.safeParse(ServeSettings, { ...given, database: resolveDatabase(sources) });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const name = issue.path?.[0].key;
  if (typeof name !== 'string') throw new SettingError(issue.message);
  const source = sources.flags[name] === undefined ? toVariable(name) : toFlag(name);
  throw new SettingError(`${source}: ${issue.message}, not ${JSON.stringify(given[name])}`);
}

/** Resolves the database URL alone, for the commands that work beside the service. */
export function resolveDatabase({ flags, variables, dataFolder }: SettingSources): string {
  const given = flags.database ?? variables.PETSTORE_SERVE_DATABASE;
  return typeof given === 'string' && given !== ''
    ? given
    : `sqlite:${path.join(dataFolder, 'petstore.db')}`;
}

function toVariable(name: string): string {
  return `PETSTORE_SERVE_${splitWords(name).join('_').toUpperCase()}`;
}

/** The flag of a setting. */
export function toFlag(name: string): string {
  return `--${splitWords(name).join('-').toLowerCase()}`;
}

function splitWords(name: string): string[] {
  return name.split(/(?=[A-Z])/);
}

function isOn(word: 'true' | 'false' | '1' | '0'): boolean {
  return word === 'true' || word === '1';
}

/** Whether a day exists: Date takes 2030-02-30 for 2 March. */
function isCalendarDate(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Whether only this machine can reach a host. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host);
}

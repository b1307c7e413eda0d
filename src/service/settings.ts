import * as v from 'valibot';
import { UserError } from '../errors.ts';
import { quoteValue } from '../input/explain-value.ts';
import { findNearest } from '../input/find-nearest.ts';

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

const portRule = 'must be a port from 0 to 65535';
const Port = v.pipe(
  v.string(portRule),
  v.regex(/^\d{1,5}$/, portRule),
  v.transform(Number),
  v.maxValue(65_535, portRule),
);

const Switch = v.union(
  [
    v.boolean(),
    v.pipe(
      v.picklist(['true', 'false', '1', '0']),
      v.transform((word) => word === 'true' || word === '1'),
    ),
  ],
  'must be true or false',
);

const instantRule = 'must be a date such as 2030-12-06 or 2030-12-05T00:00:00Z';
const Instant = v.pipe(
  v.string(instantRule),
  v.check((text) => /^\d{4}-\d\d-\d\d(T.+)?$/.test(text), instantRule),
  v.check((text) => isCalendarDate(text.slice(0, 10)), instantRule),
  v.transform((text) => new Date(text)),
  v.check((date) => !Number.isNaN(date.getTime()), instantRule),
);

const Text = v.pipe(v.string(), v.nonEmpty('must have a value'));

/** Every setting by its flag in camel case; its variable is PETSTORE_SERVE_ and the flag in capitals. */
const ServeSettings = v.pipe(
  v.object({
    host: v.optional(Text, '127.0.0.1'),
    port: v.optional(Port, '8080'),
    /** As typed: only `storage/database-url` may describe it. */
    database: v.optional(Text),
    seed: v.optional(Switch, false),
    asOf: v.optional(Instant),
    tlsCert: v.optional(Text),
    tlsKey: v.optional(Text),
    behindProxy: v.optional(Switch, false),
    metricsPort: v.optional(Port),
    docs: v.optional(Switch, true),
    logLevel: v.optional(
      v.picklist(logLevels, `must be one of ${logLevels.join(', ')}`),
      'info' as const,
    ),
  }),
  v.check(
    ({ tlsCert, tlsKey }) => (tlsCert === undefined) === (tlsKey === undefined),
    '--tls-cert and --tls-key belong together: give both.',
  ),
  v.check(
    ({ port, metricsPort }) => port === 0 || port !== metricsPort,
    '--port and --metrics-port are the same: give each a port of its own.',
  ),
  v.check(
    ({ host, tlsCert, behindProxy }) => isLoopback(host) || tlsCert !== undefined || behindProxy,
    'Anybody on the network could read API keys: listen on 127.0.0.1, give --tls-cert and --tls-key, ' +
      'or --behind-proxy where a proxy in front of the service ends TLS.',
  ),
  v.check(
    ({ host, seed }) => !seed || isLoopback(host),
    '--seed creates a key that is shown on the terminal, so it works on 127.0.0.1 only.',
  ),
);
export type ServeSettings = v.InferOutput<typeof ServeSettings>;

const settingNames = Object.keys(ServeSettings.pipe[0].entries);

export interface SettingSources {
  /** What the command line said, by flag in camel case. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Resolves every setting: flag, else variable, else default. @throws UserError `cli_usage` */
export function parseServeSettings({ flags, variables }: SettingSources): ServeSettings {
  const given = Object.fromEntries(
    settingNames.map((name) => [name, flags[name] ?? (variables[toVariable(name)] || undefined)]),
  );
  refuseUnknownVariable(variables);
  const parsed = v.safeParse(ServeSettings, given);
  if (parsed.success) return parsed.output;
  const [{ path, message }] = parsed.issues;
  const name = path?.[0].key;
  if (typeof name !== 'string') throw refuseSetting(message);
  const source = flags[name] === undefined ? toVariable(name) : toFlag(name);
  throw refuseSetting(`${source} ${message}, not ${quoteValue(given[name])}.`);
}

const PREFIX = 'PETSTORE_SERVE_';

/** A setting with a typing error in its name would be ignored in silence. @throws UserError `cli_usage` */
export function refuseUnknownVariable(variables: SettingSources['variables']): void {
  const known = settingNames.map(toVariable);
  const unknown = Object.keys(variables).find((n) => n.startsWith(PREFIX) && !known.includes(n));
  if (unknown === undefined) return;
  const nearest = findNearest(
    unknown.slice(PREFIX.length),
    known.map((n) => n.slice(PREFIX.length)),
  );
  const meant = nearest === undefined ? '' : ` Did you mean ${PREFIX}${nearest}?`;
  throw refuseSetting(`${unknown} is not a setting of serve.${meant}`);
}

function toVariable(name: string): string {
  return `${PREFIX}${splitWords(name).join('_').toUpperCase()}`;
}

function toFlag(name: string): string {
  return `--${splitWords(name).join('-').toLowerCase()}`;
}

function splitWords(name: string): string[] {
  return name.split(/(?=[A-Z])/);
}

/** Whether a day exists: Date takes 2030-02-30 for 2 March. */
function isCalendarDate(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
}

function refuseSetting(message: string): UserError {
  return new UserError('cli_usage', message, { try: [['petstore', 'serve', '--help']] });
}

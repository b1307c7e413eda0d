import { readRecordInfo } from '../../config/keys/key-records.ts';
import { environmentVariables, variableNameFor } from '../../config/variables.ts';
import type { KeyInfo } from '../../contract/key-info.ts';
import type { KeyStatus } from '../../contract/outputs/api-keys.ts';
import { messageOf, UserError, type UserErrorCode } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { writeRecords } from '../../terminal/records/record-writer.ts';
import { verifyKey } from '../shared/verify-key.ts';
import { warnOfError } from '../shared/warn-of-error.ts';

/** `failure` is why the key cannot be used. */
interface FoundKey {
  status: KeyStatus;
  failure?: unknown;
}

export interface StatusOptions {
  all?: boolean;
  check?: boolean;
}

/** For one environment an unusable key is also this command's failure; with --all it is what was asked for. */
export async function showStatus(context: Context, options: StatusOptions): Promise<void> {
  const { environments, terminal } = context;
  const names = options.all ? environments.names() : [environments.selected().value];
  const found = await Promise.all(
    names.map((name) => describeKey(context, name, options.check ?? false)),
  );
  await writeRecords(
    terminal,
    found.map(({ status }) => status),
    {
      id: ({ environment }) => environment,
      columns: [
        { name: 'selected', heading: '', show: ({ selected }) => (selected ? '*' : '') },
        { name: 'environment', heading: 'ENVIRONMENT' },
        { name: 'state', heading: 'STATE' },
        // In words it is FROM.
        { name: 'source' },
        { name: 'lastFour', heading: 'ENDING' },
        { name: 'access', heading: 'ACCESS', show: formatAccess },
        { name: 'expiresAt' },
        { name: 'from', heading: 'FROM', show: ({ from, source }) => from ?? source ?? '-' },
        { name: 'reason', heading: 'REASON' },
        { name: 'url', heading: 'URL' },
      ],
    },
  );
  if (options.all) warnElsewhere(context, found);
  const failures = found.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  const [failure] = options.all ? findUnusable(failures, options.check ?? false) : failures;
  if (failure !== undefined) throw failure;
}

/** A key for another URL is worth more than its cell in the table: both URLs, and what to do. */
function warnElsewhere({ keys, terminal }: Context, found: readonly FoundKey[]): void {
  for (const { status, failure } of found) {
    const { environment: name, url } = status;
    const isElsewhere = url !== null && keys.stored.findElsewhere({ name, url }) !== undefined;
    if (isElsewhere && failure instanceof UserError && failure.code === 'cli_no_key')
      warnOfError(terminal, failure, name);
  }
}

/** What makes `--all --check` fail, keys before services; an environment without a URL is not in use. */
function findUnusable(failures: readonly unknown[], check: boolean): unknown[] {
  if (!check) return [];
  const isCode = (failure: unknown, ...codes: UserErrorCode[]) =>
    failure instanceof UserError && codes.includes(failure.code);
  const inUse = failures.filter((failure) => !isCode(failure, 'cli_no_url', 'cli_invalid_config'));
  const ofKeys = inUse.filter((failure) => failure instanceof UserError);
  return ofKeys.length > 0 ? ofKeys : inUse;
}

const states: Partial<Record<UserErrorCode, KeyStatus['state']>> = {
  cli_no_url: 'missing',
  cli_invalid_config: 'missing',
  cli_no_key: 'missing',
  cli_keychain_locked: 'locked',
  cli_keychain_unavailable: 'unavailable',
  cli_keychain_library_missing: 'unavailable',
  cli_keychain_timeout: 'unavailable',
  cli_key_file_unsafe: 'unavailable',
  cli_key_rejected: 'rejected',
};

/** Finds the key of an environment and, if asked, checks it at the service. */
async function describeKey(
  context: Context,
  environment: string,
  check: boolean,
): Promise<FoundKey> {
  const status = describeRecord(context, environment);
  try {
    const target = context.environments.target(environment);
    const key = await context.keys.find(target);
    const { from, lastFour, source } = key;
    const storedAt = source === 'variable' ? null : status.storedAt;
    Object.assign(status, { from, lastFour, source, storedAt, ...toStatusInfo(key.info) });
    const foreign = check ? findForeignVariable(context, environment) : undefined;
    if (foreign !== undefined) {
      const reason = `${foreign} gives the key of the selected environment; it was not sent here`;
      return { status: { ...status, state: 'unchecked', reason } };
    }
    if (!check) return { status: { ...status, state: 'unchecked' } };
    const info = (await verifyKey(context, target, key)) ?? key.info;
    return { status: { ...status, ...toStatusInfo(info), state: 'ok' } };
  } catch (failure) {
    const reason = messageOf(failure);
    const state = failure instanceof UserError ? states[failure.code] : undefined;
    return { status: { ...status, state: state ?? 'unchecked', reason }, failure };
  }
}

/** The variable that would give this environment a key if it were selected; it may be the key of another. */
function findForeignVariable(
  { environments, keys }: Context,
  environment: string,
): string | undefined {
  const [variable] = keys.listVariables(environment);
  const isOwn =
    variable?.name === variableNameFor(environment, environmentVariables.environmentKey);
  return isOwn || environment === environments.selected().value ? undefined : variable?.name;
}

/** What the config file remembers: all that is known when the keychain does not respond. */
function describeRecord({ environments, keys }: Context, environment: string): KeyStatus {
  const url = environments.describe(environment).url.value ?? null;
  const selected = environments.selected().value === environment;
  const record = keys.stored.findRecord(environment, url ?? undefined);
  return {
    environment,
    url,
    selected,
    state: 'missing',
    source: record?.storage ?? null,
    from: null,
    lastFour: record?.lastFour ?? null,
    storedAt: record?.storedAt ?? null,
    ...toStatusInfo(readRecordInfo(record)),
    reason: null,
  };
}

function toStatusInfo(info: KeyInfo | undefined): Pick<KeyStatus, 'access' | 'expiresAt'> {
  return { access: info?.access ?? null, expiresAt: info?.expiresAt?.toISOString() ?? null };
}

/** In one column, as the table has many: `write`, `read until 2026-12-20`. */
function formatAccess({ access, expiresAt }: KeyStatus): string {
  const end = expiresAt === null ? '' : ` until ${expiresAt.slice(0, 10)}`;
  return access === null ? '-' : `${access}${end}`;
}

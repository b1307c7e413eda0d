import { readRecordInfo } from '../../config/keys/key-records.ts';
import { environmentVariables, variableNameFor } from '../../config/variables.ts';
import type { KeyInfo } from '../../contract/key-info.ts';
import type { KeyStatus } from '../../contract/outputs/api-keys.ts';
import { messageOf, UserError, type UserErrorCode } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { writeRecords } from '../../terminal/records/record-writer.ts';
import { verifyKey } from '../shared/verify-key.ts';

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
        { name: 'environment', heading: 'ENVIRONMENT' },
        { name: 'state', heading: 'STATE' },
        { name: 'source', heading: 'SOURCE' },
        { name: 'lastFour', heading: 'ENDING' },
        { name: 'access', heading: 'ACCESS' },
        {
          name: 'expiresAt',
          heading: 'ENDS',
          show: ({ expiresAt }) => expiresAt?.slice(0, 10) ?? '-',
        },
        { name: 'from', heading: 'FROM' },
        { name: 'reason', heading: 'REASON' },
      ],
    },
  );
  const failure = options.all ? undefined : found[0]?.failure;
  if (failure !== undefined) throw failure;
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

/** Finds the key of an environment and, if asked, checks it at the service. `failure` is why it cannot be used. */
async function describeKey(
  context: Context,
  environment: string,
  check: boolean,
): Promise<{ status: KeyStatus; failure?: unknown }> {
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
  const record = keys.stored.findRecord(environment, url ?? undefined);
  return {
    environment,
    url,
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

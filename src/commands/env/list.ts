import { RequestError } from '../../client/failure.ts';
import {
  type Environment,
  type EnvironmentSettings,
  findEnvironment,
  findSelectedName,
  listNames,
  requireKnown,
} from '../../config/environments.ts';
import { findKeyVariable, type Keys } from '../../config/keys.ts';
import type { Variables } from '../../config/variables.ts';
import type { KeyInfo } from '../../contract/headers.ts';
import { type LocalCode, UserError } from '../../errors.ts';
import { openContextKeys, probe, readEnvironmentSettings } from '../../program/connect.ts';
import type { Context } from '../../program/context.ts';
import { adviseNewKey, explainUnresolved } from '../../program/next-lines.ts';
import { type Column, createWriter } from '../../terminal/formats.ts';
import { formatDate } from '../../terminal/relative-time.ts';

type State =
  | 'ok'
  | 'no address'
  | 'bad address'
  | 'no key'
  | 'bad key'
  | 'locked'
  | 'no keychain'
  | 'keychain hangs'
  | 'rejected'
  | 'read-only'
  | 'unreachable';

/** Whether an environment can be used. */
interface Standing {
  readonly state: State;
  /** Why not; with a read-only key it can be used, though nothing can be added. */
  readonly problem?: RequestError | UserError;
  /** What the service says of the key. */
  readonly info?: KeyInfo | undefined;
}

/** A screen for support must not wait for what does not respond. */
const TIMEOUT_MS = 2_000;

export interface ListOptions {
  readonly offline?: boolean;
}

interface Row {
  readonly name: string;
  readonly isSelected: boolean;
  readonly environment: Environment | undefined;
  /** The last characters of its key. */
  readonly ending: string | undefined;
  /** Undefined where no service is asked. */
  readonly standing: Standing | undefined;
}

/** The screen for support: where each environment is, and whether it can be used. */
export async function listEnvironments(
  context: Context,
  { offline = false }: ListOptions,
): Promise<void> {
  const { terminal, options } = context;
  const settings = readEnvironmentSettings(context);
  const keys = openContextKeys(context);
  const writer = createWriter(terminal, { columns: listColumns(offline) }, options);
  const selected = findSelectedName(settings);
  if (selected !== undefined) requireKnown(settings, selected);
  const names = [
    ...new Set([...listNames(settings), ...(selected === undefined ? [] : [selected])]),
  ];
  const rows = await Promise.all(
    names.map(async (name) => ({
      name,
      isSelected: name === selected,
      ...(await examineEnvironment(context, settings, keys, { name, offline })),
    })),
  );
  await writer.writeRows([rows]);
  const problem = rows.find(({ isSelected }) => isSelected)?.standing?.problem;
  if (problem !== undefined) throw explainNotReady(selected ?? '', problem);
}

async function examineEnvironment(
  context: Context,
  settings: EnvironmentSettings,
  keys: Keys,
  { name, offline }: { name: string; offline: boolean },
): Promise<Pick<Row, 'environment' | 'ending' | 'standing'>> {
  const none = { environment: undefined, ending: undefined };
  try {
    const environment = findEnvironment(settings, name);
    if (environment === undefined) {
      const problem = explainUnresolved(context, { kind: 'unconfigured', name });
      return { ...none, standing: { state: 'no address', problem } };
    }
    const ending = await keys.findEnding(environment).catch(() => undefined);
    const standing = offline ? undefined : await askState(context, keys, environment);
    return { environment, ending, standing };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...none, standing: { state: 'bad address', problem: error } };
  }
}

function listColumns(offline: boolean): Column<Row>[] {
  const local: Column<Row>[] = [
    {
      name: 'name',
      value: ({ name }) => name,
      show: ({ name, isSelected }) => `${isSelected ? '*' : ' '} ${name}`,
      title: '  NAME',
    },
    { name: 'selected', value: ({ isSelected }) => isSelected, isHidden: true },
    {
      name: 'url',
      value: ({ environment }) => environment?.baseUrl.href,
      show: ({ environment }) =>
        environment === undefined ? '-' : shortenUrl(environment.baseUrl),
      isShortened: true,
    },
    {
      name: 'protected',
      value: ({ environment }) => environment?.isProtected,
      show: ({ environment }) =>
        environment === undefined ? '-' : environment.isProtected ? 'yes' : 'no',
    },
    { name: 'key', value: ({ ending }) => ending },
  ];
  const asked: Column<Row>[] = [
    { name: 'access', value: ({ standing }) => standing?.info?.access },
    {
      name: 'expires',
      value: ({ standing }) => standing?.info?.expiresAt?.toISOString(),
      show: ({ standing }) =>
        standing?.info?.expiresAt === undefined ? '-' : formatDate(standing.info.expiresAt),
    },
    {
      name: 'state',
      value: ({ standing }) => standing?.state,
      color: ({ standing }) => (standing?.state === 'ok' ? 'green' : 'yellow'),
    },
  ];
  return offline ? local : [...local, ...asked];
}

/** As people type it. */
function shortenUrl({ host, pathname }: URL): string {
  return host + pathname.replace(/\/v1$/, '');
}

/** Asks the service whether it accepts the key. */
async function askState(context: Context, keys: Keys, environment: Environment): Promise<Standing> {
  const { name, baseUrl } = environment;
  try {
    const key = await keys.find(environment);
    const options = { apiKey: key.text, timeoutMs: TIMEOUT_MS };
    const { status, keyInfo: info, refusal } = await probe(context, baseUrl, options);
    if (status === 200) return { state: info?.access === 'read' ? 'read-only' : 'ok', info };
    const isUnknownKey = status === 401 || refusal === undefined;
    const message = isUnknownKey ? `The API key for ${name} was not accepted.` : refusal;
    const advice = isUnknownKey ? adviseNewKey(name, key) : {};
    const problem = new UserError('cli_key_rejected', message, advice);
    return { state: 'rejected', problem };
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof UserError)) throw error;
    const state = error instanceof UserError ? stateOf(error, context.variables, name) : undefined;
    return { state: state ?? 'unreachable', problem: error };
  }
}

/** Undefined for what is wrong on the way to the service, such as a proxy. */
function stateOf(error: UserError, variables: Variables, name: string): State | undefined {
  const isGiven = findKeyVariable(variables, name) !== undefined;
  const states: Partial<Record<LocalCode, State>> = {
    cli_no_key: isGiven ? 'bad key' : 'no key',
    cli_key_file_unsafe: 'bad key',
    cli_keychain_locked: 'locked',
    cli_keychain_absent: 'no keychain',
    cli_keychain_unavailable: 'keychain hangs',
  };
  return states[error.code];
}

/** The lines that mend it are its own, as far as it has some. */
function explainNotReady(name: string, problem: RequestError | UserError): UserError {
  const { message, details, try: own } = problem;
  const next = own.length > 0 ? own : [['petstore', 'doctor', '--env', name]];
  return new UserError('cli_not_ready', message, { details, try: next });
}

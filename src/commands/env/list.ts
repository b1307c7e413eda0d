import {
  type Environment,
  type EnvironmentSettings,
  findEnvironment,
  findSelectedName,
  listNames,
} from '../../config/environments.ts';
import type { Keys } from '../../config/keys.ts';
import { UserError } from '../../errors.ts';
import { openContextKeys, readEnvironmentSettings } from '../../program/connect.ts';
import type { Context } from '../../program/context.ts';
import { adviseNewKey } from '../../program/next-lines.ts';
import { type Column, createWriter } from '../../terminal/formats.ts';
import { formatDate } from '../../terminal/relative-time.ts';
import { askState, type Standing, usableStates } from './ask-state.ts';

interface ListOptions {
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
  const names = [
    ...new Set([...listNames(settings), ...(selected === undefined ? [] : [selected])]),
  ];
  const rows = await Promise.all(
    names.map(async (name) => ({
      name,
      isSelected: name === selected,
      ...(await describe(context, settings, keys, { name, offline })),
    })),
  );
  await writer.writeRows([rows]);
  const standing = rows.find(({ isSelected }) => isSelected)?.standing;
  if (standing !== undefined && !usableStates.includes(standing.state))
    throw explain(selected ?? '', standing);
}

async function describe(
  context: Context,
  settings: EnvironmentSettings,
  keys: Keys,
  { name, offline }: { name: string; offline: boolean },
): Promise<Pick<Row, 'environment' | 'ending' | 'standing'>> {
  const none = { environment: undefined, ending: undefined };
  try {
    const environment = findEnvironment(settings, name);
    if (environment === undefined) {
      return { ...none, standing: { state: 'no address', reason: `${name} has no address.` } };
    }
    const ending = await keys.findEnding(environment).catch(() => undefined);
    const standing = offline ? undefined : await askState(context, keys, environment);
    return { environment, ending, standing };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...none, standing: { state: 'bad address', reason: error.message } };
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

function explain(name: string, { state, reason = '', key }: Standing): UserError {
  const isSignIn = ['no address', 'no key', 'rejected'].includes(state);
  const doctor = { details: [], try: [['petstore', 'doctor', '--env', name]] };
  return new UserError('cli_not_ready', reason, isSignIn ? adviseNewKey(name, key) : doctor);
}

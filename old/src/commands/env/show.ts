import { requestDefaults } from '../../client/requests/retry-rules.ts';
import type { KeyRecord } from '../../config/keys/key-records.ts';
import { resolveHistory } from '../../config/settings/history-setting.ts';
import { describeSource } from '../../config/settings/setting.ts';
import { readTerminalSettings } from '../../config/settings/terminal-settings.ts';
import type { ExplainedSetting, ShownEnvironment } from '../../contract/outputs/environments.ts';
import type { Context } from '../../program/context/context.ts';
import { writeRecords } from '../../terminal/records/record-writer.ts';
import { describeEnvironment, describeUntil } from './list.ts';

export interface ShowOptions {
  name?: string;
  explain?: boolean;
}

export async function showEnvironment(context: Context, options: ShowOptions): Promise<void> {
  if (options.explain) return await explainEnvironment(context, options.name);
  const { environments, keys, terminal, clock } = context;
  const described = describeEnvironment(environments, options.name);
  const record = keys.stored.findRecord(described.name, described.url ?? undefined);
  const key = record ? describeKeyRecord(record) : null;
  const environment: ShownEnvironment = { ...described, key };
  await writeRecords(
    terminal,
    [environment],
    {
      id: ({ name }) => name,
      columns: [
        { name: 'name', heading: 'NAME' },
        { name: 'protected', heading: 'PROTECTED', show: (row) => (row.protected ? 'yes' : 'no') },
        {
          name: 'selected',
          heading: 'SELECTED',
          show: ({ selected, until }) =>
            [
              selected ? 'yes' : 'no',
              ...(until ? [`until ${describeUntil(until, clock())}`] : []),
            ].join(', '),
        },
        {
          name: 'key',
          heading: 'KEY',
          show: ({ key }) =>
            key
              ? `ending ${key.lastFour}, in the ${key.storage} since ${key.storedAt.slice(0, 10)}`
              : 'none stored',
        },
        { name: 'url', heading: 'URL' },
      ],
    },
    { isSingle: true },
  );
}

function describeKeyRecord({ storage, storedAt, lastFour }: KeyRecord) {
  return { storage, storedAt, lastFour };
}

async function explainEnvironment(context: Context, name: string | undefined): Promise<void> {
  await writeRecords(context.terminal, await explain(context, name), {
    id: ({ setting }) => setting,
    columns: [
      { name: 'setting', heading: 'SETTING' },
      { name: 'value', heading: 'VALUE' },
      { name: 'source', heading: 'SOURCE', show: ({ source }) => describeSource(source) },
      { name: 'overridden', heading: 'OVERRIDDEN', show: describeOverridden },
    ],
  });
}

async function explain(context: Context, name: string | undefined): Promise<ExplainedSetting[]> {
  const { explainSettings } = await import('../../config/settings/explain-settings.ts');
  const { options, variables } = context;
  const terminal = readTerminalSettings(variables, options);
  const limits = { given: describeLimits(options), defaults: describeLimits(requestDefaults) };
  const history = resolveHistory(variables, options);
  return explainSettings({ ...context, terminal, history, limits }, name);
}

/** The limits of requests as people would write them. */
function describeLimits({ timeout, retries }: Pick<Context['options'], 'timeout' | 'retries'>) {
  return {
    timeout: timeout === undefined ? undefined : `${timeout / 1000}s`,
    retries: retries?.toString(),
  };
}

/** A default that is overridden goes without saying. */
function describeOverridden({ overridden }: ExplainedSetting): string {
  const rivals = overridden.filter(({ source }) => source.kind !== 'default');
  return rivals.map(({ value, source }) => `${value} from ${describeSource(source)}`).join(', ');
}

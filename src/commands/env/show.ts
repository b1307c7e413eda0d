import type { ExplainedSetting } from '../../config/settings/explain-settings.ts';
import { describeSource } from '../../config/settings/setting.ts';
import type { Context } from '../../program/context/context.ts';
import { writeRecord, writeRecords } from '../../terminal/records/record-writer.ts';

export interface ShowOptions {
  name?: string;
  explain?: boolean;
}

export async function showEnvironment(context: Context, options: ShowOptions): Promise<void> {
  if (options.explain) return await explainEnvironment(context, options.name);
  const { environments, keys, terminal } = context;
  const { name, url, protected: isProtected } = environments.describe(options.name);
  const record = keys.records.find(name, url.value);
  const environment = {
    name,
    url: url.value ?? null,
    protected: isProtected.value,
    selected: name === environments.selected().value,
    key: record
      ? { storage: record.storage, storedAt: record.storedAt, lastFour: record.lastFour }
      : null,
  };
  await writeRecord(terminal, environment, {
    id: 'name',
    columns: [
      { key: 'name', title: 'NAME' },
      { key: 'protected', title: 'PROTECTED', show: (row) => (row.protected ? 'yes' : 'no') },
      { key: 'selected', title: 'SELECTED', show: (row) => (row.selected ? 'yes' : 'no') },
      {
        key: 'key',
        title: 'KEY',
        show: ({ key }) => (key ? describeKeyRecord(key) : 'none stored'),
      },
      { key: 'url', title: 'URL' },
    ],
  });
}

function describeKeyRecord(key: { storage: string; storedAt: string; lastFour: string }): string {
  return `ending ${key.lastFour}, in the ${key.storage} since ${key.storedAt.slice(0, 10)}`;
}

async function explainEnvironment(context: Context, name: string | undefined): Promise<void> {
  await writeRecords(context.terminal, await context.explain(name), {
    id: 'setting',
    columns: [
      { key: 'setting', title: 'SETTING' },
      { key: 'value', title: 'VALUE' },
      { key: 'source', title: 'SOURCE', show: ({ source }) => describeSource(source) },
      { key: 'overridden', title: 'OVERRIDDEN', show: describeOverridden },
    ],
  });
}

/** A default that is overridden goes without saying. */
function describeOverridden({ overridden }: ExplainedSetting): string {
  const rivals = overridden.filter(({ source }) => source.kind !== 'default');
  return rivals.map(({ value, source }) => `${value} from ${describeSource(source)}`).join(', ');
}

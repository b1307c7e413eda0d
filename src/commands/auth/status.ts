import type { Context } from '../../program/context/context.ts';
import { writeRecords } from '../../terminal/records/record-writer.ts';
import { describeKey } from './describe-key.ts';

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
        { name: 'from', heading: 'FROM' },
        { name: 'reason', heading: 'REASON' },
      ],
    },
  );
  const failure = options.all ? undefined : found[0]?.failure;
  if (failure !== undefined) throw failure;
}

import { devNull } from 'node:os';
import path from 'node:path';
import { findFolder } from '../../config/paths.ts';
import { UserError } from '../../errors.ts';
import { checkFile } from '../../import/check-file.ts';
import { type ImportRecords, openImportRecords } from '../../import/import-record.ts';
import { openImportFile } from '../../import/open-import-file.ts';
import { planImport } from '../../import/plan-import.ts';
import { readBytes } from '../../import/read-bytes.ts';
import type { Connection, Context } from '../../program/context.ts';
import {
  askWhetherCorrected,
  confirmImport,
  describeEarlier,
  refuseAgain,
  refuseIds,
} from './ask-import.ts';
import { concludeImport } from './conclude-import.ts';
import type { Delivery, ImportOptions } from './delivery.ts';
import { formatAlike, formatCount } from './format-count.ts';
import type { ActivePlan } from './record-run.ts';
import { createRowWriter } from './rows.ts';
import { sendDelivery } from './send-delivery.ts';

export async function importFile(
  context: Context,
  word: string,
  options: ImportOptions,
): Promise<void> {
  const { stdin, signal } = context;
  refuseSameFile(word, options);
  const name = word === '-' ? 'stdin' : word;
  const bytes = await readBytes(word === '-' ? stdin : word, name, signal);
  const file = await openImportFile(bytes, name, options.format);
  const checked = await checkFile(file.reader, name);
  const environment = await context.findEnvironment();
  let connection: Promise<Connection> | undefined;
  const connect = () => {
    connection ??= context.connect({ endsOnSignal: false });
    return connection;
  };
  const delivery = { name, file, checked, environment, options, connect };
  if (options.dryRun) return await showDelivery(context, delivery);
  const records = await openRecords(context, delivery);
  const plan = await choosePlan(context, delivery, records);
  if (plan === undefined) return;
  await confirmImport(context, delivery);
  const totals = await sendDelivery(context, delivery, records, plan);
  await concludeImport(context, delivery, totals);
}

/** The rejects would be written over what they come from. */
function refuseSameFile(word: string, { rejects }: ImportOptions): void {
  if (rejects === undefined || path.resolve(rejects) !== path.resolve(word)) return;
  throw new UserError('cli_usage', `--rejects names the file that is imported, ${word}.`, {
    details: ['name another file'],
  });
}

async function showDelivery(context: Context, { checked, environment }: Delivery): Promise<void> {
  const { count, first, alike } = checked;
  await createRowWriter(context).writeRows([first]);
  const { terminal } = context;
  const where = `${environment.name} (${environment.baseUrl.host})`;
  terminal.notice(`${formatCount(count, 'pet')} would be added to ${where}; nothing was sent.`);
  if (alike > 0) terminal.notice(formatAlike(alike));
}

function openRecords({ variables }: Context, { name, checked, environment }: Delivery) {
  // Without a folder nothing is found, and writing says why.
  const folder = path.join(findFolder(variables, 'state') ?? devNull, 'imports');
  const id = {
    name: path.basename(name),
    baseUrl: environment.baseUrl.href,
    digest: checked.digest,
  };
  return openImportRecords(folder, id, new Date());
}

/** Undefined when there is nothing to do. @throws UserError `cli_import_again` where pets could be added twice. */
async function choosePlan(
  context: Context,
  delivery: Delivery,
  { own, previous }: ImportRecords,
): Promise<ActivePlan | undefined> {
  const { again = false } = delivery.options;
  const { terminal } = context;
  const plan = await planImport({
    ...{ own, isAgain: again, now: new Date() },
    // A stream has no name by which to know a corrected copy.
    previous: delivery.name === 'stdin' ? undefined : previous,
    honorsKeys: async () => (await delivery.connect()).client.honorsKeys(),
  });
  if (plan.kind === 'done') {
    const message = `${delivery.name} was imported ${describeEarlier(plan.record)}; nothing was sent. --again adds all of it a second time.`;
    terminal.warn('cli_already_imported', message);
    return undefined;
  }
  if (plan.kind === 'unsafe') throw refuseAgain(delivery, plan.record);
  if (plan.kind === 'corrected') {
    await askWhetherCorrected(context, delivery, plan.record);
    return { kind: 'start', nonce: undefined };
  }
  if (plan.kind === 'resume') {
    terminal.notice(`This import was started ${describeEarlier(plan.record)}; it goes on.`);
  } else if (own === undefined && delivery.checked.hasIds && !again && !terminal.isInteractive) {
    throw refuseIds(delivery);
  }
  return plan;
}

import { devNull } from 'node:os';
import path from 'node:path';
import { findFolder } from '../../config/paths.ts';
import { UserError } from '../../errors.ts';
import { checkFile } from '../../import/check-file.ts';
import { type ImportRecords, openImportRecords } from '../../import/import-record.ts';
import { openImportFile } from '../../import/open-import-file.ts';
import { planImport } from '../../import/plan-import.ts';
import { readBytes } from '../../input/read-bytes.ts';
import type { Connection, Context } from '../../program/context.ts';
import { confirmImport, describeEarlier, listNotes, refuseUnsafe } from './ask-import.ts';
import { concludeImport } from './conclude-import.ts';
import type { Delivery, ImportOptions } from './delivery.ts';
import { formatCount } from './format-count.ts';
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
    connection ??= context.connect({ finishesWrites: true });
    return connection;
  };
  const delivery = { name, file, checked, environment, options, connect };
  if (options.dryRun) return await showDelivery(context, delivery);
  const records = await openRecords(context, delivery);
  const plan = await choosePlan(context, delivery, records);
  if (plan === undefined) return;
  await confirmImport(context, delivery, plan);
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

async function showDelivery(context: Context, delivery: Delivery): Promise<void> {
  const { checked, environment } = delivery;
  const { terminal } = context;
  await createRowWriter(context).writeRows([checked.first]);
  for (const note of listNotes(delivery)) terminal.notice(note);
  const where = `${environment.name} (${environment.baseUrl.host})`;
  terminal.notice(
    `${formatCount(checked.count, 'pet')} would be added to ${where}; nothing was sent.`,
  );
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
  if (plan.kind === 'unsafe') throw refuseUnsafe(delivery, plan.record);
  if (plan.kind === 'start') return plan;
  const earlier = describeEarlier(delivery.name, plan.record);
  if (plan.kind === 'done') {
    const message = `${earlier}; nothing was sent. --again adds all of it a second time.`;
    terminal.warn('cli_already_imported', message);
    return undefined;
  }
  terminal.notice(`${earlier}. Continuing: no pet is added twice.`);
  return plan;
}

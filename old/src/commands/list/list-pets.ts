import { pageLimits } from '../../contract/operations.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { writeRecordsOf } from '../../terminal/records/record-writer.ts';
import { formatOption, formatShellLine } from '../../terminal/text/shell-line.ts';
import { petSheet, readRecordOptions } from '../shared/pets.ts';
import { announceTarget } from '../shared/target.ts';
import { type PetSelection, type ScanResult, scanPets } from './scan-pets.ts';

export interface ListOptions extends Omit<PetSelection, 'wanted'> {
  limit?: number;
  all?: boolean;
  count?: boolean;
  requireComplete?: boolean;
}

/** Lists or counts pets and never lets a part look complete. */
export async function listPets(context: Context, options: ListOptions): Promise<void> {
  if (options.count) refuseIdleOptions(context);
  await announceTarget(context);
  const result = options.count
    ? await writeCount(context, options)
    : await writePets(context, options);
  if (result.more !== 'no') reportMore(context, options, result);
  else if (options.all && !options.count) reportCount(context, options, result);
}

async function writePets(context: Context, options: ListOptions): Promise<ScanResult> {
  const wanted = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? pageLimits.default);
  return await writeRecordsOf(context.terminal, petSheet, readRecordOptions(context), (add) =>
    scanPets(context, { ...options, wanted }, add),
  );
}

async function writeCount(context: Context, options: ListOptions): Promise<ScanResult> {
  const wanted = Number.POSITIVE_INFINITY;
  const result = await scanPets(context, { ...options, wanted }, () => {});
  await context.terminal.stdout.write(`${result.taken}\n`);
  return result;
}

/** One number has neither columns nor rows. */
function refuseIdleOptions({ options, terminal }: Context): void {
  const idle = options.fields ? '--fields' : terminal.format === 'csv' ? 'csv' : undefined;
  if (idle === undefined) return;
  throw new UserError('cli_usage', `--count prints one number: ${idle} has no effect with it`, {
    next: ['petstore list --help'],
  });
}

function reportMore(
  { terminal, environments }: Context,
  options: ListOptions,
  { taken, more }: ScanResult,
): void {
  const rest = more === 'yes' ? 'more exist' : 'more may exist: the service does not say';
  const verb = options.count ? 'Counted' : 'Showing';
  const sentence = `${verb} ${formatPets(taken)}; ${rest}.`;
  const isWhole = options.all || options.count;
  const message = isWhole ? sentence : `${sentence} Use --all.`;
  if (options.requireComplete)
    throw new UserError('cli_incomplete', message, {
      outcome: 'not_applied',
      ...(isWhole ? {} : { next: [listAllCommand(environments.target().name, options)] }),
    });
  terminal.warn(message, { shown: taken, complete: false });
}

/** On a terminal the end of a long list says how long it was. */
function reportCount(
  { terminal, environments }: Context,
  { name, category, status }: ListOptions,
  { taken }: ScanResult,
): void {
  if (!terminal.stderr.isTerminal || taken === 0) return;
  const environment = environments.target().name;
  const found = name !== undefined || category || status ? ' found' : '';
  terminal.notice(`${formatPets(taken)}${found} in ${environment}.`, { environment, shown: taken });
}

function formatPets(count: number): string {
  return `${count} ${count === 1 ? 'pet' : 'pets'}`;
}

/** The line that lists all of them, in the same environment. */
function listAllCommand(environment: string, options: ListOptions): string {
  const { status = [], name, category = [] } = options;
  return formatShellLine([
    ...['petstore', 'list', '--env', environment, '--all'],
    ...status.flatMap((one) => ['--status', one]),
    ...(name === undefined ? [] : formatOption('--name', name)),
    ...category.flatMap((id) => ['--category', String(id)]),
  ]);
}

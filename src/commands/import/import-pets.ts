import path from 'node:path';
import type { FileCheck } from '../../import/read/check-file.ts';
import { openJournalBook } from '../../import/staging/journal.ts';
import type { Context } from '../../program/context/context.ts';
import { announceTarget } from '../shared/announce-target.ts';
import { checkInput } from './check-input.ts';
import type { CheckedImport, ImportCommandOptions } from './checked-import.ts';
import { chooseRun } from './choose-run.ts';
import { concludeImport } from './conclude-import.ts';
import { confirmImport } from './confirm-import.ts';
import { openInput } from './open-input.ts';
import { sendFile } from './send-file.ts';

/** Adds a whole file of pets: checks every row, asks, sends. */
export async function importPets(context: Context, options: ImportCommandOptions): Promise<void> {
  await announceTarget(context);
  const { file, forget } = await openInput(context, options);
  let mayBeResumed = false;
  try {
    const check = await checkInput(context, file);
    if (options.dryRun) return reportDryRun(context, check);
    mayBeResumed = true;
    await importChecked(context, { file, check, options });
  } finally {
    await file.close();
    if (!mayBeResumed) await forget();
  }
}

async function importChecked(context: Context, checked: CheckedImport): Promise<void> {
  const { file, check } = checked;
  const { name: environment, url } = context.environments.target();
  const subject = { hash: check.hash, environment, url, format: file.format, rows: check.rows };
  const book = await openJournalBook(path.join(context.paths.stateFolder, 'imports'), subject);
  try {
    const choice = await chooseRun(context, book.state, checked);
    if (choice !== 'done') {
      await confirmImport(context, checked, book.state);
      const sent = await sendFile(context, checked, { book, choice });
      await concludeImport(context, checked, sent);
    }
  } finally {
    await book.close();
  }
}

function reportDryRun({ terminal, environments }: Context, { rows }: FileCheck): void {
  const { name, url } = environments.target();
  terminal.notice(
    `Dry run: ${rows} ${rows === 1 ? 'pet' : 'pets'} could be added to ${name} (${url}); nothing was sent.`,
    { environment: name, rows, outcome: 'not_sent' },
  );
}

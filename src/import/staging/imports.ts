import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../errors.ts';
import { DatabaseLockedError } from '../../files/open-local-database.ts';
import { syncFolder } from '../../files/write-file-atomically.ts';
import { createDraft, type Draft } from './draft.ts';
import {
  type ImportRecord,
  type ImportRecords,
  type ImportSubject,
  isNeeded,
  openImportRecords,
} from './import-records.ts';
import type { Counts } from './outcome.ts';
import { openStaging, type Staging } from './staging.ts';
import { openStagingDatabase } from './staging-database.ts';

/** An import that was started, locked for this process. */
export interface StartedImport {
  record: ImportRecord;
  counts: Counts;
  /** Undefined once everything was added, and when its file was removed. */
  staging: Staging | undefined;
}

/** One that has rows to send or to report. */
export interface RunningImport extends StartedImport {
  staging: Staging;
}

/** All imports started from here. Each step is one transaction of their records, so no other process is halfway. */
export interface Imports {
  /** Creates a draft, after removing what crashes left. */
  createDraft(): Draft;
  /** What earlier runs left. @throws UserError `cli_import_exists` when another process is importing it. */
  open(id: string): StartedImport | undefined;
  findUnfinished: ImportRecords['findUnfinished'];
  /** Makes a complete draft an import. `known` is what `open` found and this one replaces. */
  start(draft: Draft, subject: ImportSubject, known: StartedImport | undefined): RunningImport;
  /** Remembers that every row has its outcome, and forgets the rows that were added. */
  finish(running: RunningImport, counts: Counts, at: Date): void;
  close(): void;
}

export function openImports(folder: string): Imports {
  const records = openImportRecords(path.join(folder, 'imports.db'));
  // Named after the run: a record never leads to the rows of another one, whenever a crash comes.
  const fileOf = ({ run }: Pick<ImportRecord, 'run'>) => path.join(folder, `${run}.staging`);

  function removeLeftovers(): void {
    const needed = records.listNeeded().map(fileOf);
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name);
      if (/\.(draft|staging)$/.test(name) && !needed.includes(file)) removeUnlocked(file);
    }
  }

  function open(id: string): StartedImport | undefined {
    const record = records.find(id);
    if (record === undefined) return undefined;
    const file = fileOf(record);
    if (!isNeeded(record) || !existsSync(file))
      return { record, counts: record, staging: undefined };
    const staging = lockStaging(record, file);
    return {
      record,
      counts: record.finishedAt === null ? staging.countOutcomes() : record,
      staging,
    };
  }

  function start(
    draft: Draft,
    subject: ImportSubject,
    known: StartedImport | undefined,
  ): RunningImport {
    if (records.find(subject.id)?.run !== known?.record.run) throw refuseSecond(subject);
    const run = randomBytes(16).toString('hex');
    const record = { ...subject, run, finishedAt: null, added: 0, rejected: 0, unknown: 0 };
    draft.close();
    renameSync(draft.path, fileOf(record));
    syncFolder(folder);
    records.put(record);
    return { record, counts: record, staging: lockStaging(record, fileOf(record)) };
  }

  function remove({ record, staging }: StartedImport): void {
    staging?.close();
    rmSync(fileOf(record), { force: true });
  }

  return {
    createDraft: () =>
      records.transact(() => {
        removeLeftovers();
        return createDraft(folder);
      }),
    open: (id) => records.transact(() => open(id)),
    findUnfinished: records.findUnfinished,
    start(draft, subject, known) {
      const running = records.transact(() => start(draft, subject, known));
      if (known) remove(known);
      return running;
    },
    finish(running, counts, at) {
      records.transact(() => records.finish(running.record.id, counts, at));
      if (counts.rejected + counts.unknown > 0) running.staging.removeAdded();
      else remove(running);
    },
    close: records.close,
  };
}

/** What its process left behind when it died; one that is alive holds its lock. */
function removeUnlocked(file: string): void {
  try {
    openStagingDatabase(file).close();
  } catch (error) {
    if (error instanceof DatabaseLockedError) return;
  }
  rmSync(file, { force: true });
  rmSync(`${file}-journal`, { force: true });
}

function lockStaging(record: ImportRecord, file: string): Staging {
  try {
    return openStaging(file);
  } catch (error) {
    throw error instanceof DatabaseLockedError ? refuseSecond(record) : error;
  }
}

function refuseSecond({ environment, url }: ImportSubject): UserError {
  return new UserError('cli_import_exists', 'This file is being imported by another process', {
    details: [`into ${environment} · ${url}`, 'two imports of one file would add every pet twice'],
  });
}

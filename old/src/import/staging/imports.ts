import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../errors.ts';
import { DatabaseLockedError } from '../../files/open-local-database.ts';
import { removeFile, replaceFile } from '../../files/retry-while-open.ts';
import { syncFolder } from '../../files/write-file-atomically.ts';
import { createDraft, type Draft } from './draft.ts';
import {
  type ImportRecord,
  type ImportSubject,
  type ImportTarget,
  openImportRecords,
} from './import-records.ts';
import { removeLeftovers } from './leftovers.ts';
import { type Counts, openStaging, type Staging } from './staging.ts';

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

/** For so long after an import ended its rejected rows can be had again. */
const REPORT_MS = 90 * 24 * 60 * 60 * 1000;

export type Imports = ReturnType<typeof openImports>;

/**
 * Opens all imports started from here. Each step is one transaction of their records, so no other process is halfway.
 * What it opened is closed with it at the latest.
 * @param clock the time now.
 */
export function openImports(folder: string, clock: () => Date) {
  const records = openImportRecords(path.join(folder, 'imports.db'));
  const closing = [records.close];
  // Named after the run: a record never leads to the rows of another one, whenever a crash comes.
  const fileOf = ({ run }: ImportRecord) => path.join(folder, `${run}.staging`);

  function lock(record: ImportRecord): Staging {
    const staging = lockStaging(record, fileOf(record));
    closing.unshift(staging.close);
    return staging;
  }

  return {
    /** Creates a draft, after removing what crashes left. */
    createDraft: () =>
      records.transact(() => {
        const oldest = new Date(clock().getTime() - REPORT_MS);
        removeLeftovers(folder, records.listNeeded(oldest).map(fileOf));
        const draft = createDraft(folder);
        closing.unshift(draft.discard);
        return draft;
      }),
    /** What earlier runs left. @throws UserError `cli_import_exists` when another process is importing it. */
    open: (id: string) =>
      records.transact((): StartedImport | undefined => {
        const record = records.find(id);
        if (record === undefined) return undefined;
        const staging = existsSync(fileOf(record)) ? lock(record) : undefined;
        const counts = record.finishedAt === null ? staging?.countOutcomes() : undefined;
        return { record, counts: counts ?? record, staging };
      }),
    findByPath: (file: string, target: ImportTarget) =>
      records.transact(() => records.findByPath(file, target)),
    findElsewhere: (subject: ImportSubject) =>
      records.transact(() => records.findElsewhere(subject)),
    /** Makes a complete draft an import. `known` is what `open` found and this one replaces. */
    start(draft: Draft, subject: ImportSubject, known?: StartedImport): RunningImport {
      const running = records.transact(() => {
        if (records.find(subject.id)?.run !== known?.record.run) throw refuseSecond(subject);
        const record = records.put(subject, randomBytes(16).toString('hex'));
        draft.close();
        replaceFile(draft.path, fileOf(record));
        syncFolder(folder);
        return { record, counts: record, staging: lock(record) };
      });
      if (known) remove(known.staging, fileOf(known.record));
      return running;
    },
    /**
     * Remembers that every row has its outcome, and forgets the rows that were added.
     * Returns why they could not be forgotten, which harms nothing.
     */
    finish(running: RunningImport, counts: Counts, at: Date): unknown {
      records.transact(() => records.finish(running.record.id, counts, at));
      return forgetAdded(running.staging, counts, fileOf(running.record));
    },
    close(): void {
      for (const close of closing) close();
    },
  };
}

function remove(staging: Staging | undefined, file: string): void {
  staging?.close();
  removeFile(file);
}

/** Returns what failed. */
function forgetAdded(staging: Staging, { rejected, unknown }: Counts, file: string): unknown {
  try {
    if (rejected + unknown > 0) staging.removeAdded();
    else remove(staging, file);
  } catch (error) {
    return error;
  }
  return undefined;
}

function lockStaging(subject: ImportSubject, file: string): Staging {
  try {
    return openStaging(file);
  } catch (error) {
    throw error instanceof DatabaseLockedError ? refuseSecond(subject) : error;
  }
}

function refuseSecond({ environment, url }: ImportSubject): UserError {
  return new UserError('cli_import_exists', 'This file is being imported by another process', {
    details: [`into ${environment} · ${url}`, 'two imports of one file would add every pet twice'],
  });
}

import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.ts';
import { createGroupWriter, type GroupWriter } from './group-writer.ts';
import { encodeEntry, type JournalHeader, type RowOutcome } from './journal-lines.ts';
import { createJournalState, type JournalState } from './journal-state.ts';
import { type Lock, takeLock } from './lock.ts';
import { readJournal } from './read-journal.ts';

/** What a journal is kept for. The same content sent elsewhere, or under another name, is another import. */
export type JournalSubject = Pick<
  JournalHeader,
  'hash' | 'environment' | 'url' | 'format' | 'rows'
>;

/** Rows announced ahead of the one being sent, so that nobody waits for a sync; at most so many are in doubt after a crash. */
const AHEAD = 1024;

/** The import of one file into one place, locked against a second one. */
export interface JournalBook {
  /** What earlier runs left; `header` is undefined when there was none. */
  state: JournalState;
  /** Goes on with the run that stands in the journal, or begins one when there is none. */
  resume(now: () => Date): Promise<Journal>;
  /** Forgets earlier runs. */
  begin(now: () => Date): Promise<Journal>;
  /** Lets go of the lock. */
  close(): Promise<void>;
}

/** Where rows are announced before they are sent, and settled once they are. */
export interface Journal {
  state: JournalState;
  /** The same at every attempt and in every resumed run, and never the same in another run. */
  idempotencyKey(row: number): string;
  /** Resolves when the disk knows that rows up to this one may have been sent. Call with ascending rows. */
  announce(row: number): Promise<void>;
  /** Resolves when the disk knows how the row ended. */
  settle(row: number, outcome: RowOutcome): Promise<void>;
  /** Notes that this run sent no row beyond this one, so that fewer are in doubt. */
  pause(lastSent: number): Promise<void>;
  complete(): Promise<void>;
}

/** @throws UserError `cli_import_exists` when another process is importing the same file into the same place. */
export async function openJournalBook(
  folder: string,
  subject: JournalSubject,
): Promise<JournalBook> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${nameSubject(subject)}.journal`);
  const lock = await takeLock(file);
  if (lock === undefined) throw refuseSecond(subject);
  try {
    const handle = await open(file, constants.O_RDWR | constants.O_CREAT, 0o600);
    return await createBook({ handle, lock, folder, file, subject });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface BookParts {
  handle: FileHandle;
  lock: Lock;
  folder: string;
  file: string;
  subject: JournalSubject;
}

async function createBook({
  handle,
  lock,
  folder,
  file,
  subject,
}: BookParts): Promise<JournalBook> {
  const { state, bytes } = await readJournal(handle, file).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  const begin = async (now: () => Date): Promise<Journal> => {
    await handle.truncate(0);
    const header = { version: 1 as const, ...subject, run: randomBytes(16).toString('hex') };
    const writer = createGroupWriter(handle, 0);
    await writer.append(encodeEntry({ type: 'begun', header }));
    await syncFolder(folder);
    return createJournal({ ...createJournalState(), header }, writer, now);
  };
  return {
    state,
    begin,
    async resume(now) {
      if (state.header === undefined) return begin(now);
      await handle.truncate(bytes);
      return createJournal(state, createGroupWriter(handle, bytes), now);
    },
    async close() {
      await handle.close();
      await lock.release();
    },
  };
}

function createJournal(state: JournalState, writer: GroupWriter, now: () => Date): Journal {
  /** Rows up to here may have been sent by an earlier run. */
  const inherited = state.reach;
  let reach = inherited;
  let announced = reach;
  let announcing = Promise.resolve();

  const announceAhead = async (): Promise<void> => {
    const row = announced;
    await writer.append(encodeEntry({ type: 'sending', row, at: now() }));
    reach = row;
  };
  return {
    state,
    idempotencyKey: (row) => `${state.header?.run}-${row}`,
    async announce(row) {
      if (row + AHEAD / 2 > announced) {
        announced = row + AHEAD;
        announcing = announceAhead();
        // Awaited by whoever needs it; a failure must not end the process before.
        announcing.catch(() => {});
      }
      if (row > reach) await announcing;
    },
    async settle(row, outcome) {
      await writer.append(encodeEntry({ type: 'outcome', row, outcome }));
      state.ledger.settle(row);
      if (outcome.kind === 'added') state.added += 1;
      else state.others.set(row, outcome);
    },
    pause: (lastSent) =>
      writer.append(encodeEntry({ type: 'unsent', row: Math.max(lastSent, inherited) })),
    complete: () => writer.append(encodeEntry({ type: 'completed' })),
  };
}

function nameSubject({ hash, environment, url }: JournalSubject): string {
  return createHash('sha256')
    .update([hash, environment, url].join('\n'))
    .digest('hex')
    .slice(0, 40);
}

/** A new file's name survives a power cut once its folder was synced; Windows cannot and need not do it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

function refuseSecond({ environment, url }: JournalSubject): UserError {
  return new UserError('cli_import_exists', 'This file is being imported by another process', {
    details: [`into ${environment} · ${url}`, 'two imports of one file would add every pet twice'],
  });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type JournalSubject, openJournalBook } from '../../../src/import/staging/journal.ts';
import { findRowsInDoubt } from '../../../src/import/staging/journal-state.ts';
import { makeFolder } from '../../support/make-folder.ts';

const subject: JournalSubject = {
  hash: 'a'.repeat(64),
  environment: 'staging',
  url: 'http://127.0.0.1:8080/v1',
  format: 'csv',
  rows: 5000,
};
const begun = new Date('2026-01-01T00:00:00Z');
const now = () => begun;
const added = (id: bigint) => ({ kind: 'added' as const, id });
const rejected = {
  kind: 'rejected' as const,
  status: 400,
  code: 'invalid_request',
  message: 'no ü',
};

async function openBook(folder: string, of: JournalSubject = subject) {
  const book = await openJournalBook(folder, of);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await book.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { ...book, close };
}

async function findJournal(folder: string): Promise<string> {
  const names = await readdir(folder);
  expect(names).toHaveLength(1);
  return path.join(folder, names[0] ?? '');
}

describe('the journal', () => {
  it('remembers the run, what was added, refused and announced', async () => {
    const folder = await makeFolder();
    const first = await openBook(folder);
    const journal = await first.begin(now);
    await journal.announce(1);
    await Promise.all([journal.settle(2, added(102n)), journal.settle(1, rejected)]);
    const key = journal.idempotencyKey(7);
    await first.close();

    const { state, resume } = await openBook(folder);
    expect(state).toMatchObject({ added: 1, isComplete: false, header: subject });
    expect(state.others).toEqual(new Map([[1, rejected]]));
    expect([1, 2, 3].map((row) => state.ledger.isSettled(row))).toEqual([true, true, false]);
    expect((await resume(now)).idempotencyKey(7)).toBe(key);
  });

  it('is readable by its owner alone', async () => {
    const folder = await makeFolder();
    await (await openBook(folder)).begin(now);
    expect((await stat(await findJournal(folder))).mode & 0o777).toBe(0o600);
  });

  it('a new run has other keys; keys of rows differ', async () => {
    const folder = await makeFolder();
    const book = await openBook(folder);
    const first = await book.begin(now);
    const second = await book.begin(now);
    const keys = [first.idempotencyKey(1), first.idempotencyKey(2), second.idempotencyKey(1)];
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}-\d+$/);
  });

  it.each([
    ['content', { hash: 'b'.repeat(64) }],
    ['environment', { environment: 'production' }],
    ['address', { url: 'http://127.0.0.1:9090/v1' }],
  ])('knows nothing of another %s', async (_, change) => {
    const folder = await makeFolder();
    await (await openBook(folder)).begin(now);
    const other = await openBook(folder, { ...subject, ...change });
    expect(other.state.header).toBeUndefined();
  });

  it('tells when a run was completed', async () => {
    const folder = await makeFolder();
    const first = await openBook(folder);
    await (await first.begin(now)).complete();
    await first.close();
    expect((await openBook(folder)).state.isComplete).toBe(true);
  });
});

describe('rows in doubt', () => {
  it('are those that were announced and never settled, with the earliest time they can have left', async () => {
    const folder = await makeFolder();
    const first = await openBook(folder);
    const journal = await first.begin(now);
    await journal.announce(1);
    const rows = Array.from({ length: 199 }, (_, index) => index + 1);
    await Promise.all(rows.map((row) => journal.settle(row, added(BigInt(row)))));
    await first.close();

    const later = new Date(begun.getTime() + 60_000);
    const second = await openBook(folder);
    const resumed = await second.resume(() => later);
    await resumed.announce(2000);
    await second.close();

    const doubtful = findRowsInDoubt((await openBook(folder)).state);
    expect(doubtful.get(199)).toBeUndefined();
    expect(doubtful.get(200)).toEqual(begun);
    expect(doubtful.get(2000)).toEqual(later);
  });

  it('are none beyond the last one sent before a pause', async () => {
    const folder = await makeFolder();
    const first = await openBook(folder);
    const journal = await first.begin(now);
    await journal.announce(3);
    await journal.settle(1, added(1n));
    await journal.pause(3);
    await first.close();
    expect([...findRowsInDoubt((await openBook(folder)).state).keys()]).toEqual([2, 3]);
  });

  it('a pause takes back nothing that an earlier run may have sent', async () => {
    const folder = await makeFolder();
    const first = await openBook(folder);
    await (await first.begin(now)).announce(9);
    await first.close();
    const second = await openBook(folder);
    const resumed = await second.resume(now);
    await resumed.announce(1);
    await resumed.pause(1);
    await second.close();
    expect(findRowsInDoubt((await openBook(folder)).state).has(9)).toBe(true);
  });
});

describe('a journal that a crash left', () => {
  async function writeJournal(): Promise<{ folder: string; file: string; bytes: Buffer }> {
    const folder = await makeFolder();
    const book = await openBook(folder);
    const journal = await book.begin(now);
    for (let row = 1; row <= 20; row += 1) await journal.settle(row, added(BigInt(row)));
    await book.close();
    const file = await findJournal(folder);
    return { folder, file, bytes: await readFile(file) };
  }

  it('torn anywhere, it tells a beginning of what was written, and goes on from there', async () => {
    const { folder, file, bytes } = await writeJournal();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: bytes.length }),
        fc.uint8Array({ maxLength: 40 }),
        async (length, garbage) => {
          await writeFile(file, Buffer.concat([bytes.subarray(0, length), garbage]));
          const torn = await openJournalBook(folder, subject);
          const known = torn.state.added;
          for (let row = 1; row <= 20; row += 1) {
            expect(torn.state.ledger.isSettled(row)).toBe(row <= known);
          }
          const journal = await torn.resume(now);
          await journal.settle(known + 1, added(7n));
          await torn.close();
          const mended = await openJournalBook(folder, subject);
          expect(mended.state.added).toBe(known + 1);
          await mended.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('damaged in the middle, it is refused: no crash does that', async () => {
    const { folder, file, bytes } = await writeJournal();
    const broken = Buffer.from(bytes);
    broken[Math.floor(bytes.length / 2)] = 0;
    await writeFile(file, broken);
    await expect(openJournalBook(folder, subject)).rejects.toThrow('is damaged in its middle');
    await writeFile(file, bytes);
    expect((await openBook(folder)).state.added).toBe(20);
  });
});

describe('the lock', () => {
  it('refuses a second import of the same file into the same place, and no other', async () => {
    const folder = await makeFolder();
    const first = await openBook(folder);
    await expect(openJournalBook(folder, subject)).rejects.toThrow('imported by another process');
    await openBook(folder, { ...subject, environment: 'production' });
    await first.close();
    await openBook(folder);
  });

  it('dies with the process that held it, kill -9 included', async () => {
    const folder = await makeFolder();
    const script = `
      import { openJournalBook } from ${JSON.stringify(path.resolve('src/import/staging/journal.ts'))};
      await openJournalBook(${JSON.stringify(folder)}, ${JSON.stringify(subject)});
      console.log('held');
      setInterval(() => {}, 1000);`;
    const file = path.join(await makeFolder(), 'hold.mts');
    await writeFile(file, script);
    const holder = spawn(process.execPath, ['--import', 'tsx', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    await expect(openJournalBook(folder, subject)).rejects.toThrow('imported by another process');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await openBook(folder);
  });
});

import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import writeFileAtomic from 'write-file-atomic';
import { retryWhileInUse } from '../files.ts';

/**
 * What is known of a row, one letter each: `i` in the store; `n` not added; `s` being sent, so that after a kill nobody
 * knows; `u` unknown.
 */
export type RowState = 'i' | 'n' | 's' | 'u';

/** What is known on this computer of an import of one file to one service. Times are ISO 8601, by the service's clock. */
export const ImportRecord = v.object({
  /** Of the file, without its folder; empty for stdin. */
  name: v.string(),
  baseUrl: v.string(),
  /** SHA-256 of the rows, part of their keys. */
  digest: v.string(),
  started: v.pipe(v.string(), v.isoTimestamp()),
  /** Until when the service knows the keys; absent until the first row was added. */
  keysUntil: v.exactOptional(v.pipe(v.string(), v.isoTimestamp())),
  /** Part of the keys of a delivery that was wanted again. */
  nonce: v.exactOptional(v.string()),
  /** A RowState for each row, in order. */
  states: v.pipe(v.string(), v.regex(/^[insu]*$/)),
  /** 64 bits of name and category of each row, in order, in base64. */
  hashes: v.pipe(v.string(), v.base64()),
});
export type ImportRecord = v.InferOutput<typeof ImportRecord>;

export function encodeHashes(hashes: BigUint64Array): string {
  return Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength).toString('base64');
}

export function decodeHashes({ hashes }: ImportRecord): BigUint64Array {
  const bytes = Buffer.from(hashes, 'base64');
  const copy = new Uint8Array(Math.floor(bytes.length / 8) * 8);
  copy.set(bytes.subarray(0, copy.length));
  return new BigUint64Array(copy.buffer);
}

/** Whether some row is not known to be in the store. */
function isUnfinished({ states }: ImportRecord): boolean {
  return /[^i]/.test(states);
}

const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * Reads the records of a folder, newest first. Deletes those of more than 90 days, but never an unfinished one, nor the
 * newest of a name. A record that cannot be read counts as none: the keys of the rows still protect them.
 */
export async function readImportRecords(folder: string, now: Date): Promise<ImportRecord[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => path.join(folder, name));
  const found = await Promise.all(
    files.map(async (file) => ({ file, record: await readRecord(file) })),
  );
  const records = found
    .flatMap(({ file, record }) => (record === undefined ? [] : [{ file, record }]))
    .sort((one, other) => other.record.started.localeCompare(one.record.started));
  const seen = new Set<string>();
  for (const { file, record } of records) {
    const key = `${record.baseUrl} ${record.name}`;
    const isOld = now.getTime() - Date.parse(record.started) > MAX_AGE_MS;
    // One that stays does no harm.
    if (isOld && seen.has(key) && !isUnfinished(record)) await rm(file).catch(() => {});
    seen.add(key);
  }
  return records.map(({ record }) => record);
}

async function readRecord(file: string): Promise<ImportRecord | undefined> {
  try {
    return v.parse(ImportRecord, JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * Writes a record that is not there yet and syncs it. Resolves to false where another run has written one in the meantime.
 * @throws when the folder cannot be written; the one above it must be there.
 */
export async function createImportRecord(folder: string, record: ImportRecord): Promise<boolean> {
  const file = findRecordFile(folder, record);
  await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting);
  const options = { flag: 'wx', mode: 0o600, flush: true } as const;
  const isCreated = await retryWhileInUse(() =>
    writeFile(file, formatRecord(record), options).then(() => true, ignoreExisting),
  );
  // One that was cut off counts as none.
  if (!isCreated && (await readRecord(file)) !== undefined) return false;
  await writeImportRecord(folder, record);
  return true;
}

/** Writes a record as a whole or not at all, and syncs it. */
export async function writeImportRecord(folder: string, record: ImportRecord): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting);
  const file = findRecordFile(folder, record);
  await retryWhileInUse(() => writeFileAtomic(file, formatRecord(record), { mode: 0o600 }));
  await syncFolder(folder);
}

/** Writes how far a run came. What another run has found to be in the store since stays so. */
export async function endImportRecord(folder: string, record: ImportRecord): Promise<void> {
  const found = await readRecord(findRecordFile(folder, record));
  const others = found?.nonce === record.nonce ? (found?.states ?? '') : '';
  const states = record.states.replace(/[^i]/g, (state, at) => (others[at] === 'i' ? 'i' : state));
  await writeImportRecord(folder, { ...record, states });
}

export async function removeImportRecord(folder: string, record: ImportRecord): Promise<void> {
  await retryWhileInUse(() => rm(findRecordFile(folder, record), { force: true }));
}

function findRecordFile(folder: string, { digest, baseUrl }: ImportRecord): string {
  const hash = createHash('sha256').update(`${digest} ${baseUrl}`).digest('hex');
  return path.join(folder, `${hash}.json`);
}

function formatRecord(record: ImportRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** So that a power cut forgets no record: its name is in the folder, whose own is in the one above. Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  for (const one of [folder, path.dirname(folder)]) {
    const handle = await open(one).catch(() => undefined);
    await handle?.sync().catch(() => {});
    await handle?.close();
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): false {
  if (error.code !== 'EEXIST') throw error;
  return false;
}

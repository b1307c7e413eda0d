import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import writeFileAtomic from 'write-file-atomic';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What is known of an import on this computer. Times are ISO 8601. */
export const ImportRecord = v.object({
  /** Of the file, without its folder. */
  name: v.string(),
  baseUrl: v.string(),
  rows: Count,
  /** When the first row was sent with these keys. */
  started: v.pipe(v.string(), v.isoTimestamp()),
  /** Part of the keys of a delivery that was wanted again. */
  nonce: v.exactOptional(v.string()),
  /** The file of `--rejects`, by its absolute path, and its time of change when it was closed; none after a run that was killed. */
  rejects: v.exactOptional(v.object({ path: v.string(), mtimeMs: v.exactOptional(v.number()) })),
  /** How far all runs came; absent while one runs, and after one that was killed: nobody counted then. */
  result: v.exactOptional(
    v.object({
      /** Whether every row was sent and has its result. */
      isFinished: v.boolean(),
      added: Count,
      refused: Count,
      unknown: Count,
    }),
  ),
});
export type ImportRecord = v.InferOutput<typeof ImportRecord>;

/** What identifies an import: the same pets to the same service. */
export interface ImportId {
  readonly name: string;
  readonly baseUrl: string;
  /** Of the rows. */
  readonly digest: string;
}

export type ImportRecords = Awaited<ReturnType<typeof openImportRecords>>;

const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000;

/** Reads what the folder has about an import and others of the same file name; deletes records of more than 90 days. */
export async function openImportRecords(folder: string, id: ImportId, now: Date) {
  const digest = createHash('sha256').update(`${id.digest} ${id.baseUrl}`).digest('hex');
  const file = path.join(folder, `${digest}.json`);
  const others = (await listRecords(folder, now)).filter((other) => other !== file);
  const records = await Promise.all(others.map(readRecord));
  const own = await readRecord(file);
  return {
    own,
    /** The latest other import to this service of a file with this name. */
    previous: findLatest(
      records.filter((record) => record?.name === id.name && record.baseUrl === id.baseUrl),
    ),
    /** Whether no other run has written the record since it was read. */
    isUnchanged: async () => isDeepStrictEqual(await readRecord(file), own),
    /** @throws when the folder cannot be written; the one above it must be there. */
    async write(record: ImportRecord): Promise<void> {
      await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting);
      await writeFileAtomic(file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    },
    remove: () => rm(file, { force: true }),
  };
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** The files of records, without those that are too old. A folder that is not there has none. */
async function listRecords(folder: string, now: Date): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const kept: string[] = [];
  for (const name of names) {
    const file = path.join(folder, name);
    const age = await stat(file).then(
      ({ mtimeMs }) => now.getTime() - mtimeMs,
      () => 0,
    );
    if (age > MAX_AGE_MS) await rm(file, { force: true });
    else kept.push(file);
  }
  return kept;
}

/** A record that cannot be read, or was cut off, counts as none: the keys of the rows still protect them. */
async function readRecord(file: string): Promise<ImportRecord | undefined> {
  try {
    return v.parse(ImportRecord, JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function findLatest(records: readonly (ImportRecord | undefined)[]): ImportRecord | undefined {
  return records
    .flatMap((record) => record ?? [])
    .toSorted((one, other) => other.started.localeCompare(one.started))[0];
}

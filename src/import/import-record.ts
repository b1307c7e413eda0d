import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
  /** @throws when the folder cannot be written; the one above it must be there. */
  const write = async (record: ImportRecord) => {
    await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting);
    await writeFileAtomic(file, formatRecord(record), { mode: 0o600 });
    await syncFolder(folder);
  };
  const records = await readRecords(folder, now);
  const own = records.get(file);
  const others = [...records.values()].filter(
    (record) => record !== own && record.name === id.name && record.baseUrl === id.baseUrl,
  );
  return {
    own,
    /** The latest other import to this service of a file with this name. */
    previous: others.toSorted((one, other) => other.started.localeCompare(one.started))[0],
    /** Writes the first record. Resolves to false when another run has done so since it was looked for. @throws as `write`. */
    async create(record: ImportRecord): Promise<boolean> {
      await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting);
      const options = { flag: 'wx', mode: 0o600, flush: true } as const;
      await writeFile(file, formatRecord(record), options).catch(ignoreExisting);
      await syncFolder(folder);
      const found = await readRecord(file);
      // One that was cut off.
      if (found === undefined) await write(record);
      return found === undefined || isDeepStrictEqual(found, record);
    },
    write,
    remove: () => rm(file, { force: true }),
  };
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

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** Every record by its file, without those that are too old. A folder that is not there has none. */
async function readRecords(folder: string, now: Date): Promise<Map<string, ImportRecord>> {
  const records = new Map<string, ImportRecord>();
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const file = path.join(folder, name);
    const record = await readRecord(file);
    if (record === undefined) continue;
    const age = now.getTime() - Date.parse(record.started);
    if (age > MAX_AGE_MS) await rm(file, { force: true });
    else records.set(file, record);
  }
  return records;
}

/** A record that cannot be read, or was cut off, counts as none: the keys of the rows still protect them. */
async function readRecord(file: string): Promise<ImportRecord | undefined> {
  try {
    return v.parse(ImportRecord, JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

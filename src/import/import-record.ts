import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import writeFileAtomic from 'write-file-atomic';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

const Time = v.pipe(v.string(), v.isoTimestamp());

/** What is known of an import on this computer. Times are ISO 8601. */
export const ImportRecord = v.object({
  /** Of the file, without its folder. */
  name: v.string(),
  baseUrl: v.string(),
  rows: Count,
  /** When the first row was sent with these keys. */
  started: Time,
  /** Part of the keys of a delivery that was wanted again. */
  nonce: v.exactOptional(v.string()),
  /** The keys were used from another computer first, nobody here knows when: their seven days cannot be counted. */
  isFromElsewhere: v.exactOptional(v.boolean()),
  /** The absolute path of `--rejects`, which only the import that wrote it may write over. */
  rejects: v.exactOptional(v.string()),
  /** How far all runs came; absent while one runs, and after one that was killed: nobody counted then. */
  result: v.exactOptional(
    v.object({
      /** Whether every row was sent and has its result. */
      isFinished: v.boolean(),
      ended: Time,
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
  const names = await listRecords(folder, now);
  const prefix = `${toFileName(id.name)}-`;
  const own = names.find((name) => name.endsWith(`-${digest}.json`)) ?? `${prefix}${digest}.json`;
  const others = names.filter((name) => name !== own && name.startsWith(prefix));
  const records = await Promise.all(others.map((name) => readRecord(path.join(folder, name))));
  const file = path.join(folder, own);
  return {
    own: await readRecord(file),
    /** The latest other import to this service of a file with this name. */
    previous: findLatest(
      records.filter((record) => record?.name === id.name && record.baseUrl === id.baseUrl),
    ),
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

/** The names of records, without those that are too old. A folder that is not there has none. */
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
    else kept.push(name);
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

/** The start of a record's name, so that a person finds it. */
function toFileName(name: string): string {
  return name.replace(/[^\w.]/g, '_').slice(0, 80);
}

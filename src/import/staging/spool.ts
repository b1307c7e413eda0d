import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Ends the name of a spool that is still being written. */
const PARTIAL = '.partial';
const PARTIAL_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** What is kept of an input. */
export interface Spool {
  file: string;
  /** No earlier import of the same input, which may have to be resumed, has left it. */
  isNew: boolean;
}

/**
 * Keeps what can be read only once in a private file (0600), so that it can be checked before anything is sent, and its
 * import resumed. It is named for its content: the same input again is the same file.
 */
export async function spoolInput(
  input: AsyncIterable<string | Uint8Array>,
  folder: string,
): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await sweepPartials(folder);
  const partial = path.join(folder, `${randomUUID()}${PARTIAL}`);
  try {
    const file = path.join(folder, `${await writePartial(input, partial)}.spool`);
    const isNew = await access(file).then(
      () => false,
      () => true,
    );
    await rename(partial, file);
    return { file, isNew };
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function writePartial(
  input: AsyncIterable<string | Uint8Array>,
  partial: string,
): Promise<string> {
  const digest = createHash('sha256');
  const handle = await open(partial, 'wx', 0o600);
  try {
    for await (const chunk of input) {
      digest.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return digest.digest('hex');
}

/** What a crash left behind half-written. */
async function sweepPartials(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((one) => one.endsWith(PARTIAL))) {
    const file = path.join(folder, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < Date.now() - PARTIAL_LIFETIME_MS) await rm(file, { force: true });
  }
}

/** Nothing is left to resume. */
export async function removeSpool(file: string): Promise<void> {
  await rm(file, { force: true });
}

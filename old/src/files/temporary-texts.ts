import { randomUUID } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf, UserError } from '../errors.ts';
import { discardFile } from './retry-while-open.ts';
import { isSystemError } from './system-error.ts';

/** Texts that are put aside in a file, to be read once more in their order. */
export interface TemporaryTexts {
  append(text: string): Promise<void>;
  read(): AsyncIterable<string>;
  close(): Promise<void>;
}

/**
 * Creates the file in the system's folder for such files. `advice` is what to do when that, or later use, fails.
 * @throws UserError `cli_file`, as do `append` and `read`.
 */
export async function openTemporaryTexts(advice: readonly string[]): Promise<TemporaryTexts> {
  const refuse = (cause: unknown): never => {
    if (!isSystemError(cause)) throw cause;
    const message = `A temporary file in ${tmpdir()} cannot be used: ${messageOf(cause)}`;
    throw new UserError('cli_file', message, { details: advice, cause });
  };
  const handle = await openUnnamed().catch(refuse);
  /** Bytes of each text. */
  const sizes: number[] = [];
  return {
    async append(text) {
      const bytes = Buffer.from(text);
      await handle.appendFile(bytes).catch(refuse);
      sizes.push(bytes.length);
    },
    async *read() {
      let position = 0;
      for (const size of sizes) {
        const bytes = await readBytes(handle, position, size).catch(refuse);
        yield bytes.toString('utf8');
        position += size;
      }
    },
    close: () => handle.close(),
  };
}

/**
 * A file that nobody else can open: only its owner may, and its name goes at once, which Windows permits too for a file
 * that Node has open. So it goes with its handle, however this process ends.
 */
async function openUnnamed(): Promise<FileHandle> {
  const file = path.join(tmpdir(), `petstore-${randomUUID()}`);
  const handle = await open(file, 'wx+', 0o600);
  discardFile(file);
  return handle;
}

async function readBytes(handle: FileHandle, position: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  for (let done = 0; done < size; ) {
    const { bytesRead } = await handle.read(bytes, done, size - done, position + done);
    if (bytesRead === 0) throw new Error('A temporary file has lost its end.');
    done += bytesRead;
  }
  return bytes;
}

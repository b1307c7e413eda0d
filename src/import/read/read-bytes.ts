import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { UserError } from '../../errors.ts';

/** Small: the CSV parser makes records of a whole chunk at once, and those that wait long to be sent are copied by each collection of garbage. */
const CHUNK_BYTES = 16 * 1024;

/** One pass over a file from its beginning. `hash` and `isUtf8` speak of what was read so far. */
export interface ByteSource {
  /** Pieces that never end inside a character, without the byte order mark. @throws UserError `cli_file`. */
  chunks: AsyncGenerator<Buffer, void, undefined>;
  hasMark(): boolean;
  isUtf8(): boolean;
  /** SHA-256 in hex. */
  hash(): string;
  bytesRead(): number;
}

/** By this a file is known to be as it was. */
type FileState = Pick<BigIntStats, 'size' | 'mtimeNs'>;

export interface ByteFile {
  handle: FileHandle;
  name: string;
  /** When it was opened. */
  state: FileState;
}

/** Reads the file in constant memory; several passes over one handle may follow each other. */
export function readBytes({ handle, name, state }: ByteFile): ByteSource {
  const digest = createHash('sha256');
  let isText = true;
  let hasMark = false;
  let position = 0;

  async function* readChunks(): AsyncGenerator<Buffer, void, undefined> {
    let rest = Buffer.alloc(0);
    for (;;) {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
      const now = await handle.stat({ bigint: true });
      if (now.size !== state.size || now.mtimeNs !== state.mtimeNs) throw refuseChange(name);
      const fresh = buffer.subarray(0, bytesRead);
      digest.update(fresh);
      const text = Buffer.concat([rest, position === 0 ? skipMark(fresh) : fresh]);
      const end = bytesRead === 0 ? text.length : findCharacterEnd(text);
      rest = text.subarray(end);
      if (isText && !isUtf8(text.subarray(0, end))) isText = false;
      if (end > 0) yield text.subarray(0, end);
      if (bytesRead === 0) return;
      position += bytesRead;
    }
  }

  function skipMark(first: Buffer): Buffer {
    if (/^(fffe|feff)/.test(first.toString('hex', 0, 2))) throw refuseUtf16(name);
    hasMark = first.toString('hex', 0, 3) === 'efbbbf';
    return hasMark ? first.subarray(3) : first;
  }

  return {
    chunks: readChunks(),
    hasMark: () => hasMark,
    isUtf8: () => isText,
    hash: () => digest.copy().digest('hex'),
    bytesRead: () => position,
  };
}

/** The length of the bytes up to the last whole character: at most three bytes less than all. */
function findCharacterEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isLead = byte >= 0xc0;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (isLead) return length > back ? bytes.length - back : bytes.length;
    if (byte < 0x80) return bytes.length;
  }
  return bytes.length;
}

function refuseChange(name: string): UserError {
  return new UserError('cli_file', `${name} was changed since it was opened`, {
    details: ['rows sent from a file that changes would not be the rows that were checked'],
  });
}

function refuseUtf16(name: string): UserError {
  return new UserError('cli_invalid_input', `${name} is UTF-16, not UTF-8`, {
    details: ['in Excel, save it as "CSV UTF-8"'],
  });
}

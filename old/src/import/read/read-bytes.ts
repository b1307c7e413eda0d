import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { checkFileKind } from './check-file-kind.ts';

export type ByteSource = Awaited<ReturnType<typeof readBytes>>;

/** Reads an input once, in constant memory. The functions speak of what was read so far. @param name what the person calls it. */
export async function readBytes(input: AsyncIterable<Buffer>, name: string) {
  const digest = createHash('sha256');
  let isText = true;
  let hasMark = false;
  let bytesRead = 0;

  async function* readChunks(): AsyncGenerator<Buffer, void, undefined> {
    let rest = Buffer.alloc(0);
    for await (const chunk of gatherStart(input)) {
      digest.update(chunk);
      if (bytesRead === 0) hasMark = findMark(chunk, name);
      const text = Buffer.concat([rest, chunk.subarray(bytesRead === 0 && hasMark ? 3 : 0)]);
      bytesRead += chunk.length;
      const end = findCharacterEnd(text);
      rest = text.subarray(end);
      if (end > 0) yield check(text.subarray(0, end));
    }
    if (rest.length > 0) yield check(rest);
  }

  function check(text: Buffer): Buffer {
    isText &&= isUtf8(text);
    return text;
  }

  const chunks = readChunks();
  const { value: start = Buffer.alloc(0) } = await chunks.next();
  return {
    /** Pieces that never end inside a character, without the byte order mark. */
    chunks: prepend(start, chunks),
    /** The first of the chunks; empty when there is none. */
    start,
    hasMark,
    isUtf8: () => isText,
    /** SHA-256 in hex. */
    hash: () => digest.copy().digest('hex'),
    bytesRead: () => bytesRead,
  };
}

/** Of the first chunk at least: enough for a byte order mark and the first line. */
const START_BYTES = 4096;

/** A pipe may hand over its first bytes one by one. */
async function* gatherStart(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0);
  for await (const chunk of input) {
    if (start.length >= START_BYTES) yield chunk;
    else {
      start = Buffer.concat([start, chunk]);
      if (start.length >= START_BYTES) yield start;
    }
  }
  if (start.length > 0 && start.length < START_BYTES) yield start;
}

async function* prepend(start: Buffer, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (start.length > 0) yield start;
  yield* chunks;
}

/** Whether the bytes start with the mark of UTF-8. @throws UserError when they are not text in UTF-8. */
function findMark(first: Buffer, name: string): boolean {
  checkFileKind(first, name);
  return first.toString('hex', 0, 3) === 'efbbbf';
}

/** The length of the bytes up to the last whole character: at most three bytes less than all. */
function findCharacterEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (byte >= 0xc0) return length > back ? bytes.length - back : bytes.length;
    if (byte < 0x80) return bytes.length;
  }
  return bytes.length;
}

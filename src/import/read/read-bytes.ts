import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { UserError } from '../../errors.ts';

/** The bytes of one input. `hash` and `isUtf8` speak of what was read so far. */
export interface ByteSource {
  /** Pieces that never end inside a character, without the byte order mark. */
  chunks: AsyncIterable<Buffer>;
  /** The first of the chunks, which stays the first; empty when there is none. */
  peek(): Promise<Buffer>;
  hasMark(): boolean;
  isUtf8(): boolean;
  /** SHA-256 in hex. */
  hash(): string;
  bytesRead(): number;
}

/** Reads an input once, in constant memory. @param name what the person calls it. */
export function readBytes(input: AsyncIterable<Buffer>, name: string): ByteSource {
  const digest = createHash('sha256');
  let isText = true;
  let hasMark = false;
  let bytesRead = 0;

  async function* readChunks(): AsyncGenerator<Buffer, void, undefined> {
    let rest = Buffer.alloc(0);
    for await (const chunk of gatherStart(input)) {
      digest.update(chunk);
      const isStart = bytesRead === 0;
      bytesRead += chunk.length;
      const text = Buffer.concat([rest, isStart ? skipMark(chunk) : chunk]);
      const end = findCharacterEnd(text);
      rest = text.subarray(end);
      if (end > 0) yield check(text.subarray(0, end));
    }
    if (rest.length > 0) yield check(rest);
  }

  function check(text: Buffer): Buffer {
    if (isText && !isUtf8(text)) isText = false;
    return text;
  }

  function skipMark(first: Buffer): Buffer {
    if (/^(fffe|feff)/.test(first.toString('hex', 0, 2))) throw refuseUtf16(name);
    hasMark = first.toString('hex', 0, 3) === 'efbbbf';
    return hasMark ? first.subarray(3) : first;
  }

  const chunks = readChunks();
  let first: ReturnType<typeof chunks.next> | undefined;
  const peek = async () => {
    first ??= chunks.next();
    return (await first).value ?? Buffer.alloc(0);
  };
  async function* readAll(): AsyncGenerator<Buffer, void, undefined> {
    const start = await peek();
    if (start.length > 0) yield start;
    yield* chunks;
  }
  return {
    chunks: readAll(),
    peek,
    hasMark: () => hasMark,
    isUtf8: () => isText,
    hash: () => digest.copy().digest('hex'),
    bytesRead: () => bytesRead,
  };
}

/** Of the first chunk at least: enough for a byte order mark and the first line. */
const START_BYTES = 4096;

/** A pipe may hand over its first bytes one by one. */
async function* gatherStart(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of input) {
    if (start === undefined) yield chunk;
    else {
      start = Buffer.concat([start, chunk]);
      if (start.length < START_BYTES) continue;
      yield start;
      start = undefined;
    }
  }
  if (start !== undefined && start.length > 0) yield start;
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

function refuseUtf16(name: string): UserError {
  return new UserError('cli_invalid_input', `${name} is UTF-16, not UTF-8`, {
    details: ['in Excel, save it as "CSV UTF-8"'],
  });
}

import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBytes } from '../../../src/import/read/read-bytes.ts';

/** Characters of one to four bytes, among them the first and last of a length. */
const text = ['name,categoryId\n', 'é', 'ࠀ', 'क', '\uffff', '𠀀', '🐈', '\u{10ffff}', 'x'];

/** The input in pieces of these sizes in turn. */
async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0;
  for (let turn = 0; from < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

async function readAll(bytes: Buffer, sizes: readonly number[]) {
  const { chunks, ...source } = await readBytes(cut(bytes, sizes), 'pets.csv');
  const pieces: Buffer[] = [];
  for await (const piece of chunks) pieces.push(piece);
  return { ...source, pieces, whole: Buffer.concat(pieces) };
}

const mark = Buffer.from('\uFEFF');

describe('an input, read once', () => {
  it('comes in pieces of whole characters, without its mark, however it arrives', async () => {
    const characters = fc.array(fc.constantFrom(...text), { minLength: 100, maxLength: 120 });
    const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(characters, sizes, fc.boolean(), async (some, tail, hasMark) => {
        const own = Buffer.from(some.join('').repeat(20));
        const bytes = hasMark ? Buffer.concat([mark, own]) : own;
        const read = await readAll(bytes, [4093, ...Array.from({ length: 99 }, () => tail).flat()]);
        expect(read.whole.equals(own)).toBe(true);
        expect(read.pieces.filter((piece) => piece.length === 0 || !isUtf8(piece))).toEqual([]);
        expect(read.start).toBe(read.pieces[0]);
        expect(read.start.length).toBeGreaterThan(4000);
        expect(read.hasMark).toBe(hasMark);
        expect(read.isUtf8()).toBe(true);
        expect(read.bytesRead()).toBe(bytes.length);
        expect(read.hash()).toBe(createHash('sha256').update(bytes).digest('hex'));
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ['nothing', '', []],
    ['only a mark', '\uFEFF', []],
    ['less than the start', 'x'.repeat(4095), [4095]],
    ['exactly the start', 'x'.repeat(4096), [4096]],
    ['a start of whole pieces, and more', 'x'.repeat(6144), [4096, 1024, 1024]],
  ])('that holds %s is not read twice', async (_, content, lengths) => {
    const { pieces } = await readAll(Buffer.from(content), [1024]);
    expect(pieces.map(({ length }) => length)).toEqual(lengths);
  });

  it('has no mark when there is none, and only the first bytes say what kind of file it is', async () => {
    expect((await readAll(Buffer.alloc(0), [1])).hasMark).toBe(false);
    const later = Buffer.concat([Buffer.alloc(4096, 'x'), mark, Buffer.from('%PDF'), mark]);
    const { whole, hasMark } = await readAll(later, [4096, 3, 4, 3]);
    expect(whole.equals(later)).toBe(true);
    expect(hasMark).toBe(false);
  });

  it.each([
    ['in the middle', Buffer.from('Zo\xeb,1\n', 'latin1')],
    ['at the end', Buffer.from('Zo\xeb', 'latin1')],
    ['cut off', Buffer.from('Zo🐈').subarray(0, -1)],
  ])('with bytes that are not UTF-8 %s is kept as it is, and says so', async (_, bytes) => {
    const own = Buffer.concat([Buffer.alloc(4096, 'x'), bytes]);
    const read = await readAll(own, [4096, 1]);
    expect(read.whole.equals(own)).toBe(true);
    expect(read.isUtf8()).toBe(false);
  });
});

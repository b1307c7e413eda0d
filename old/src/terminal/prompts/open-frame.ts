import { Writable } from 'node:stream';
import type { OutputStream } from '../sink.ts';

/** How inquirer goes back over what it drew before. */
const goingBack = new RegExp(String.raw`^(?:${'\u001b'}\[\d*[ABGK])+`);

const ERASE_BELOW = '\r\u001b[J';

/** Where inquirer draws. What it drew last can be drawn again, below what others have written since. */
export function openFrame(terminal: OutputStream, columns: () => number) {
  let drawn = '';
  const output = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      const text = String(chunk);
      const rest = text.replace(goingBack, '');
      // The cursor alone was moved.
      drawn = rest === '' ? drawn + text : rest;
      terminal.write(text, () => {});
      done();
    },
  });
  Object.defineProperty(output, 'columns', { get: columns });
  return { output, redraw: () => void terminal.write(`${ERASE_BELOW}${drawn}`, () => {}) };
}

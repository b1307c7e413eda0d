import type { Readable } from 'node:stream';

/** All text that was written to a stream meanwhile. Node 26 hands it out write by write. */
export function readWritten(stream: Readable): string {
  let text = '';
  for (let chunk: unknown = stream.read(); chunk !== null; chunk = stream.read()) {
    text += String(chunk);
  }
  return text;
}

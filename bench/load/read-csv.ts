/**
 * Reads a CSV file once and prints the seconds it took: `parse` by the parser alone, `stage` checked and staged as an
 * import does it. Arguments: which, the file, an empty folder.
 */
import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { openFileInput } from '../../src/import/read/open-input.ts';
import { createDraft } from '../../src/import/staging/draft.ts';
import { stageRows } from '../../src/import/staging/stage-rows.ts';

const [which = '', file = '', folder = ''] = process.argv.slice(2);

async function parseAlone(): Promise<number> {
  let rows = 0;
  const count = new Writable({
    objectMode: true,
    write(_row, _encoding, done) {
      rows += 1;
      done();
    },
  });
  await pipeline(createReadStream(file), parse({ from_line: 2 }), count);
  return rows;
}

async function stage(): Promise<number> {
  const { signal } = new AbortController();
  const input = await openFileInput(file, signal);
  if (input === undefined) throw new Error(`There is no ${file}.`);
  const draft = createDraft(folder);
  const options = { signal, onNotice: () => {}, onRows: () => {} };
  const { rows } = await stageRows(input, draft, options).finally(input.close);
  draft.discard();
  return rows;
}

const start = performance.now();
const rows = which === 'parse' ? await parseAlone() : await stage();
const seconds = (performance.now() - start) / 1000;
process.stdout.write(`${JSON.stringify({ rows, seconds })}\n`);

import { checkRow } from './check-row.ts';
import type { ByteSource } from './read-bytes.ts';
import { readCsv } from './read-csv.ts';
import { readJson, readNdjson } from './read-json.ts';
import type { ImportFormat, RawRow, ReadOptions, Row } from './row.ts';

const readers = {
  csv: readCsv,
  json: readJson,
  ndjson: readNdjson,
} satisfies Record<ImportFormat, unknown>;

/** Reads a file row by row and holds each to the contract. What `list` writes can be read: an id is ignored. */
export async function* readRows(
  source: ByteSource,
  format: ImportFormat,
  options: ReadOptions,
): AsyncGenerator<Row, void, undefined> {
  let hasId = false;
  for await (const raw of readers[format](source, options)) {
    if (dropId(raw) && !hasId) {
      hasId = true;
      options.onNotice('The ids in the file are ignored: the service assigns new ones.');
    }
    yield checkRow(raw, source.isUtf8());
  }
}

function dropId({ value }: RawRow): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    Reflect.deleteProperty(value, 'id')
  );
}

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import { checkFileKind } from '../../../src/import/read/check-file-kind.ts';
import { readAll } from '../support.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const rows = 'name,categoryId\nRex,4\n';
/** The header of a zip file whose first entry has this name, then the entry's content. */
const zip = (entry: string) =>
  Buffer.concat([hex('504b0304'), Buffer.alloc(26, 1), Buffer.from(entry)]);
const utf16be = Buffer.from(`\uFEFF${rows}`, 'utf16le').swap16();

const excel = 'in Excel: File, Save As, file type "CSV UTF-8 (Comma delimited) (*.csv)"';
const libreOffice =
  'in LibreOffice: File, Save As, file type "Text CSV (.csv)", character set "Unicode (UTF-8)"';
const numbers =
  'in Numbers: File, Export To, CSV, text encoding "Unicode (UTF-8)" under Advanced Options';
const unpack = 'unpack it first: open it in the file manager';

function refuse(start: Buffer, name: string): UserError | undefined {
  try {
    checkFileKind(start, name);
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

describe('a file that is not text in UTF-8', () => {
  it.each([
    ['pets.xlsx', zip('[Content_Types].xml'), 'an Excel workbook', excel],
    ['pets.xlsx', zip('docProps/app.xml'), 'an Excel workbook', excel],
    ['stdin', zip('xl/workbook.xml'), 'an Excel workbook', excel],
    ['pets.xls', hex('d0cf11e0a1b11ae1'), 'an Excel workbook', excel],
    [
      'stdin',
      zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
      'a LibreOffice spreadsheet',
      libreOffice,
    ],
    ['stdin', zip('Index/Document.iwa'), 'a Numbers spreadsheet', numbers],
    ['pets.numbers', zip('preview.jpg'), 'a Numbers spreadsheet', numbers],
    ['pets.zip', zip('pets.csv'), 'a compressed file (zip)', unpack],
    ['pets.xlsx.zip', zip('pets.csv'), 'a compressed file (zip)', unpack],
    ['pets.csv.gz', gzipSync(rows), 'a compressed file (gzip)', unpack],
    ['pets.bz2', hex('425a6839'), 'a compressed file (bzip2)', unpack],
    ['pets.xz', hex('fd377a585a000004'), 'a compressed file (xz)', unpack],
    ['pets.zst', hex('28b52ffd04'), 'a compressed file (zstd)', unpack],
    ['pets.7z', hex('377abcaf271c0004'), 'a compressed file (7z)', unpack],
    ['pets.rar', hex('526172211a0701'), 'a compressed file (rar)', unpack],
    ['pets.csv', Buffer.from(`\uFEFF${rows}`, 'utf16le'), 'text in UTF-16', excel],
    ['pets.csv', utf16be, 'text in UTF-16', excel],
    ['pets.csv', Buffer.from(rows, 'utf16le'), 'text in UTF-16', excel],
    ['pets.csv', utf16be.subarray(2), 'text in UTF-16', excel],
    ['pets.xls', Buffer.from('\n<html><table><tr><td>name'), 'a web page', excel],
    ['pets.xls', Buffer.from('<table><tr><td>name'), 'a web page', excel],
    ['pets.pdf', Buffer.from('%PDF-1.7'), 'a PDF', 'ask for the list as a spreadsheet, or as CSV'],
  ])('%s is recognized, and what to do is said', (name, start, kind, advice) => {
    const error = refuse(start, name);
    expect(error?.message).toBe(`${name} is ${kind}, not a CSV file`);
    expect(error?.code).toBe('cli_invalid_input');
    const after = advice === unpack ? 'inside' : 'that it writes';
    const then = name.endsWith('.pdf') ? [] : [`then import the file ${after}`];
    expect(error?.details).toEqual([advice, ...then]);
  });

  it.each(['425a68', 'fd377a585a00', '28b52ffd', '377abcaf271c', '526172211a07', '25504446'])(
    'is not taken for one by %s after its start',
    (bytes) => {
      expect(refuse(hex(`78${bytes}`), 'pets.csv')).toBeUndefined();
    },
  );

  it('is not taken for UTF-16 unless every other byte is zero', () => {
    const bits = [8, 4, 2, 1];
    const starts = Array.from({ length: 16 }, (_, code) =>
      bits.map((bit) => (code & bit ? 120 : 0)),
    );
    const found = starts.filter((start) => refuse(Buffer.from(start), 'pets.csv') !== undefined);
    expect(found).toEqual([
      [0, 120, 0, 120],
      [120, 0, 120, 0],
    ]);
    expect(refuse(Buffer.from([0, 120, 0]), 'pets.csv')).toBeUndefined();
  });

  it.each([rows, `${rows}<table>`, `\uFEFF${rows}`, '[', '', 'n', 'PK,name', '{"name":"Rex"}'])(
    'lets the text %j through',
    (text) => {
      expect(refuse(Buffer.from(text), 'pets.csv')).toBeUndefined();
    },
  );

  it('is refused before any of its rows is read', async () => {
    await expect(readAll(gzipSync(rows), 'csv')).rejects.toThrow('not a CSV file');
  });
});

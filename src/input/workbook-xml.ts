import { strFromU8, unzipSync } from 'fflate';
import { UserError } from '../errors.ts';

/** What a sheet, or the texts of all sheets, may take unzipped. */
const MAX_XML_BYTES = 64 * 1024 * 1024;

/**
 * The lines that are hidden or filtered out, per sheet: SheetJS tells them only together with all formats, for which it
 * takes a minute where a million rows are formatted. Of .xls and .xlsb it tells them by itself, of .ods not at all.
 * @throws UserError `cli_invalid_input` when unzipped it is too large to be read.
 */
export function findHiddenRows(bytes: Buffer, name: string): readonly ReadonlySet<number>[] {
  if (bytes.toString('latin1', 0, 2) !== 'PK') return [];
  const files = unzipSheets(bytes, name);
  const read = (file: string) => strFromU8(files[file] ?? new Uint8Array());
  const targets = new Map(
    Array.from(read('xl/_rels/workbook.xml.rels').matchAll(/<Relationship\b[^>]*>/g), ([tag]) => [
      readAttribute(tag, 'Id'),
      readAttribute(tag, 'Target').replace(/^\/?(?:xl\/)?/, 'xl/'),
    ]),
  );
  return Array.from(read('xl/workbook.xml').matchAll(/<(?:\w+:)?sheet\b[^>]*>/g), ([tag]) =>
    listHidden(read(targets.get(readAttribute(tag, String.raw`\w+:id`)) ?? '')),
  );
}

function listHidden(xml: string): ReadonlySet<number> {
  const rows = xml.matchAll(/<(?:\w+:)?row\b[^>]*\bhidden="(?:1|true)"[^>]*>/g);
  return new Set(Array.from(rows, ([tag]) => Number(readAttribute(tag, 'r'))));
}

function readAttribute(tag: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}

function unzipSheets(bytes: Buffer, name: string) {
  try {
    return unzipSync(bytes, {
      filter(file) {
        if (file.name.endsWith('.iwa') || file.name === 'Index.zip') throw refuseNumbers(name);
        if (/\.xml$|\.bin$/.test(file.name) && file.originalSize > MAX_XML_BYTES)
          throw refuseLarge(name);
        return /^xl\/(?:worksheets\/|workbook\.xml|_rels\/workbook)/.test(file.name);
      },
    });
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw refuseUnreadable(name, cause);
  }
}

/** SheetJS reads some of them, and writes to the terminal about others. */
function refuseNumbers(name: string): UserError {
  return new UserError('cli_invalid_input', `${name} is a document of Numbers.`, {
    details: ['export it in Numbers as Excel (.xlsx) or CSV'],
  });
}

function refuseLarge(name: string): UserError {
  return new UserError(
    'cli_invalid_input',
    `${name} is too large: a sheet takes more than 64 MiB.`,
    {
      details: ['delete the rows below the pets and their formats, or save the sheet as CSV'],
    },
  );
}

export function refuseUnreadable(what: string, cause?: unknown): UserError {
  return new UserError('cli_invalid_input', `${what} cannot be read.`, {
    details: ['open it in the spreadsheet program and save it again as .xlsx, or as CSV'],
    cause,
  });
}

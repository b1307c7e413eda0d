import path from 'node:path';
import { UserError } from '../../errors.ts';

interface FileKind {
  /** What the file is. */
  readonly name: string;
  /** How its pets become a file that can be read. */
  readonly advice: readonly string[];
}

const again = 'then import the file that it writes';
const inExcel = ['in Excel: File, Save As, file type "CSV UTF-8 (Comma delimited) (*.csv)"', again];
const inLibreOffice = [
  'in LibreOffice: File, Save As, file type "Text CSV (.csv)", character set "Unicode (UTF-8)"',
  again,
];
const inNumbers = [
  'in Numbers: File, Export To, CSV, text encoding "Unicode (UTF-8)" under Advanced Options',
  again,
];
const unpack = ['unpack it first: open it in the file manager', 'then import the file inside'];

const excel: FileKind = { name: 'an Excel workbook', advice: inExcel };
const utf16: FileKind = { name: 'text in UTF-16', advice: inExcel };

/** The first bytes of files that are taken for CSV, in hexadecimal; a zip file is looked into. */
const signatures: readonly (readonly [RegExp, FileKind])[] = [
  [/^d0cf11e0a1b11ae1/, excel],
  [/^1f8b/, { name: 'a compressed file (gzip)', advice: unpack }],
  [/^425a68/, { name: 'a compressed file (bzip2)', advice: unpack }],
  [/^fd377a585a00/, { name: 'a compressed file (xz)', advice: unpack }],
  [/^28b52ffd/, { name: 'a compressed file (zstd)', advice: unpack }],
  [/^377abcaf271c/, { name: 'a compressed file (7z)', advice: unpack }],
  [/^526172211a07/, { name: 'a compressed file (rar)', advice: unpack }],
  [/^25504446/, { name: 'a PDF', advice: ['ask for the list as a spreadsheet, or as CSV'] }],
  [/^(?:fffe|feff)/, utf16],
];

/** Workbooks are zip files: by a name or media type inside, which stands in the first bytes, else by the file's own name. */
const workbooks: readonly (readonly [content: RegExp, file: RegExp, FileKind])[] = [
  [/\[Content_Types\]\.xml|xl\//, /\.xls[xmb]$/i, excel],
  [
    /mimetypeapplication\/vnd\.oasis\.opendocument\.spreadsheet/,
    /\.ods$/i,
    { name: 'a LibreOffice spreadsheet', advice: inLibreOffice },
  ],
  [/Index\/[^/]*\.iwa/, /\.numbers$/i, { name: 'a Numbers spreadsheet', advice: inNumbers }],
];

/** @param start the first bytes of a file. @param name what the person calls it. @throws UserError when it is known not to be text in UTF-8. */
export function checkFileKind(start: Buffer, name: string): void {
  const kind = findKind(start, name);
  if (kind === undefined) return;
  throw new UserError('cli_invalid_input', `${name} is ${kind.name}, not a CSV file`, {
    details: kind.advice,
  });
}

function findKind(start: Buffer, name: string): FileKind | undefined {
  const magic = start.toString('hex', 0, 8);
  if (magic.startsWith('504b0304')) return findZipKind(start.toString('latin1'), name);
  if (isSavedPage(start)) return { name: 'a web page', advice: inExcel };
  return signatures.find(([bytes]) => bytes.test(magic))?.[1] ?? findUnmarked(start);
}

function findZipKind(start: string, name: string): FileKind {
  const found =
    workbooks.find(([content]) => content.test(start)) ??
    workbooks.find(([, file]) => file.test(path.basename(name)));
  return found?.[2] ?? { name: 'a compressed file (zip)', advice: unpack };
}

/** What some programs call an Excel file is a table of a web page, or XML. */
function isSavedPage(start: Buffer): boolean {
  return /^\uFEFF?\s*<(?:!doctype|html|table|\?xml)/i.test(start.toString('utf8', 0, 100));
}

/** UTF-16 without its mark: every other byte of a line of column names is zero. */
function findUnmarked(start: Buffer): FileKind | undefined {
  const [first, second, third, fourth] = start;
  if (fourth === undefined) return undefined;
  const isLittle = first !== 0 && second === 0 && third !== 0 && fourth === 0;
  const isBig = first === 0 && second !== 0 && third === 0 && fourth !== 0;
  return isLittle || isBig ? utf16 : undefined;
}

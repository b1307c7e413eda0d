import { crc32, deflateRawSync } from 'node:zlib';

/** Text is a string cell; `{ xml }` is a cell as it stands in the sheet, without its address. */
export type Cell = string | { readonly attributes: string; readonly xml: string } | undefined;

/** The bytes of a workbook (.xlsx) with these sheets, as a spreadsheet program writes them. */
export function createWorkbook(...sheets: readonly (readonly (readonly Cell[])[])[]): Buffer {
  return createWorkbookOf(...sheets.map(formatSheet));
}

/** The same from the XML of each sheet's `sheetData`. */
export function createWorkbookOf(...sheetData: readonly string[]): Buffer {
  const ids = sheetData.map((_, index) => index + 1);
  const sheets = ids.map((id) => `<sheet name="Sheet${id}" sheetId="${id}" r:id="rId${id}"/>`);
  const relations = ids.map(
    (id) =>
      `<Relationship Id="rId${id}" Type="${office}/worksheet" Target="worksheets/sheet${id}.xml"/>`,
  );
  const styles = `<Relationship Id="rId99" Type="${office}/styles" Target="styles.xml"/>`;
  return zip({
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}">${relations.join('')}${styles}</Relationships>`,
    // Style 1 is a date.
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheetData.map((xml, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${main}"><sheetData>${xml}</sheetData></worksheet>`,
      ]),
    ),
  });
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships';

function formatSheet(rows: readonly (readonly Cell[])[]): string {
  return rows
    .map(
      (cells, index) =>
        `<row r="${index + 1}">${cells.map((cell, column) => formatCell(cell, `${String.fromCharCode(65 + column)}${index + 1}`)).join('')}</row>`,
    )
    .join('');
}

function formatCell(cell: Cell, address: string): string {
  if (cell === undefined) return '';
  if (typeof cell !== 'string') return `<c r="${address}" ${cell.attributes}>${cell.xml}</c>`;
  const text = cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`;
}

/** A zip file (APPNOTE.TXT 6.3.10) of deflated entries. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = deflateRawSync(text);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(text), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(Buffer.byteLength(text), 18);
    shared.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, tail, Buffer.from(name));
    locals.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(locals.length, 8);
  end.writeUInt16LE(locals.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, entries, end]);
}

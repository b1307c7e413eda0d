import { strToU8, zipSync } from 'fflate';

/** Text is a string cell; `{ xml }` is a cell as it stands in the sheet, without its address. */
export type Cell = string | { readonly attributes: string; readonly xml: string } | undefined;

/** The bytes of a workbook (.xlsx) with these sheets, as a spreadsheet program writes them. */
export function createWorkbook(...sheets: readonly (readonly (readonly Cell[])[])[]): Buffer {
  return createWorkbookOf(...sheets.map(formatSheet));
}

/** The same from the XML of each sheet's `sheetData`. @param attributes of each sheet in the list of sheets. */
export function createWorkbookOf(...sheetData: readonly string[]): Buffer {
  return createWorkbookWith(sheetData.map((xml) => ({ xml })));
}

interface SheetOptions {
  readonly xml: string;
  /** Of the sheet in the list of sheets, such as `state="hidden"`. */
  readonly attributes?: string;
}

export function createWorkbookWith(sheetData: readonly SheetOptions[]): Buffer {
  const sheets = sheetData.map(
    ({ attributes = '' }, index) =>
      `<sheet name="Sheet${index + 1}" sheetId="${index + 1}" ${attributes} r:id="rId${index + 1}"/>`,
  );
  const relations = sheetData.map((_, index) =>
    formatRelation(`rId${index + 1}`, `${office}/worksheet`, `worksheets/sheet${index + 1}.xml`),
  );
  const parts = sheetData.map((_, index) =>
    formatPart(`/xl/worksheets/sheet${index + 1}.xml`, 'worksheet'),
  );
  return zip({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${formatPart('/xl/workbook.xml', 'sheet.main')}${formatPart('/xl/styles.xml', 'styles')}${parts.join('')}</Types>`,
    '_rels/.rels': formatRelations([
      formatRelation('rId1', `${office}/officeDocument`, 'xl/workbook.xml'),
    ]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': formatRelations([
      ...relations,
      formatRelation('rId99', `${office}/styles`, 'styles.xml'),
    ]),
    // Style 1 is a date.
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheetData.map(({ xml }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${main}"><sheetData>${xml}</sheetData></worksheet>`,
      ]),
    ),
  });
}

function formatPart(name: string, kind: string): string {
  return `<Override PartName="${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`;
}

function formatRelation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`;
}

function formatRelations(relations: readonly string[]): string {
  return `<Relationships xmlns="${packages}">${relations.join('')}</Relationships>`;
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The XML of `sheetData`. */
export function formatSheet(rows: readonly (readonly Cell[])[]): string {
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

function zip(files: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)]);
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}

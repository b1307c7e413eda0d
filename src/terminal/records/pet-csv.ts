import type { Pet } from '../../contract/pet.ts';
import type { PetField } from '../../contract/pet-fields.ts';
import { renderCsvCell } from './csv-cell.ts';

export interface PetCsvOptions {
  fields: readonly PetField[];
  /** For Excel: byte order mark, CRLF, ids as text, nothing taken for a formula. */
  isExcel: boolean;
  /** As `renderCsvCell` takes it. */
  isForScreen: boolean;
}

/** The header line (RFC 4180, section 2.3). */
export function renderCsvHeader({ fields, isExcel }: PetCsvOptions): string {
  return `${isExcel ? '\ufeff' : ''}${fields.join(',')}${lineEnd(isExcel)}`;
}

/** One Pet as a line of CSV (RFC 4180), its line end included. */
export function renderCsvLine(pet: Pet, options: PetCsvOptions): string {
  return `${options.fields.map((field) => renderField(pet, field, options)).join(',')}${lineEnd(options.isExcel)}`;
}

function renderField(pet: Pet, field: PetField, { isExcel, isForScreen }: PetCsvOptions): string {
  const value = pet[field];
  if (value === undefined) return '';
  // Excel rounds numbers of more than 15 digits, but takes a formula of a text as text.
  if (typeof value === 'bigint') return isExcel ? `"=""${value}"""` : String(value);
  // A name that looks guarded already gets one more apostrophe: the import takes exactly one off.
  const guarded = isExcel && /^'*\s*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return renderCsvCell(guarded, isForScreen);
}

function lineEnd(isExcel: boolean): string {
  return isExcel ? '\r\n' : '\n';
}

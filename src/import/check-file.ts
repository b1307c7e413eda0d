import { createHash } from 'node:crypto';
import { encodeNewPet } from '../contract/pet.ts';
import { UserError } from '../errors.ts';
import { formatCount } from '../terminal/counts.ts';
import { checkRow, type ReadCategory } from './check-row.ts';
import { hashRows } from './hash-row.ts';
import { listMistakes } from './mistakes.ts';
import type { Mistake, PetRow, RawFile } from './row.ts';

/** A file whose rows are all right. */
export interface CheckedFile {
  readonly rows: readonly PetRow[];
  /** SHA-256 of all rows as they will be sent, in order: the same for the same pets, whatever file they come in. */
  readonly digest: string;
  /** Of name and category of each row, in order. */
  readonly hashes: BigUint64Array;
  /** Whether a row has an id, as `list` writes it. */
  readonly hasIds: boolean;
}

/** Checks every row. @throws UserError `cli_invalid_input` with all mistakes, or without any row. */
export function checkFile(file: RawFile, name: string, readCategory: ReadCategory): CheckedFile {
  const mistakes: Mistake[] = [];
  const rows: PetRow[] = [];
  let hasIds = false;
  for (const row of file.rows) {
    const checked = 'reason' in row ? [row] : checkRow(row, rows.length + 1, readCategory);
    if (!('pet' in checked)) mistakes.push(...checked);
    else {
      rows.push(checked);
      hasIds ||= 'values' in row && row.values.id !== undefined;
    }
  }
  if (mistakes.length > 0) throw refuseMistakes(name, mistakes);
  if (rows.length === 0) throw new UserError('cli_invalid_input', `${name} has no rows.`);
  return { rows, digest: digestRows(rows), hashes: hashRows(rows), hasIds };
}

/** How many rows are hashed at once, for speed. */
const BATCH_ROWS = 1000;

function digestRows(rows: readonly PetRow[]): string {
  const hash = createHash('sha256');
  for (let at = 0; at < rows.length; at += BATCH_ROWS) {
    const texts = rows.slice(at, at + BATCH_ROWS).map(({ pet }) => encodeNewPet(pet));
    hash.update(texts.join(''));
  }
  return hash.digest('hex');
}

function refuseMistakes(name: string, mistakes: readonly Mistake[]): UserError {
  const message = `${name} has ${formatCount(mistakes.length, 'mistake')}; nothing was sent.`;
  return new UserError('cli_invalid_input', message, { details: listMistakes(mistakes) });
}

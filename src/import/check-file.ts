import { createHash } from 'node:crypto';
import { encodeNewPet, type NewPet } from '../contract/pet.ts';
import { UserError } from '../errors.ts';
import { createAlikeCounter } from './alike-rows.ts';
import { readPetRows } from './check-row.ts';
import { createMistakeList, type MistakeList } from './mistakes.ts';
import type { PetRow, RowReader } from './row.ts';

/** How many rows the question shows. */
const SHOWN_ROWS = 5;

/** What a file holds whose rows are all right. */
export interface CheckedFile {
  readonly count: number;
  /** Rows that are the same as an earlier one. */
  readonly alike: number;
  /** SHA-256 of all rows as they will be sent, in order: the same for the same pets, whatever file they come in. */
  readonly digest: string;
  readonly first: readonly NewPet[];
  /** Whether a row has an id, as `list` writes it. */
  readonly hasIds: boolean;
}

/** Checks every row. @throws UserError `cli_invalid_input` with all mistakes, or without any row. */
export async function checkFile(reader: RowReader, name: string): Promise<CheckedFile> {
  const mistakes = createMistakeList();
  const tally = createTally();
  for await (const rows of readPetRows(reader)) {
    const pets: PetRow[] = [];
    for (const row of rows) {
      if ('reason' in row) mistakes.add(row);
      else pets.push(row);
    }
    tally.add(pets);
  }
  if (mistakes.count() > 0) throw refuse(name, mistakes);
  const checked = tally.finish();
  if (checked.count === 0) throw new UserError('cli_invalid_input', `${name} has no rows.`);
  return checked;
}

function createTally() {
  const alike = createAlikeCounter();
  const hash = createHash('sha256');
  const first: NewPet[] = [];
  let count = 0;
  let hasIds = false;
  return {
    add(rows: readonly PetRow[]): void {
      const texts = rows.map(({ pet }) => encodeNewPet(pet));
      for (const text of texts) alike.add(text);
      hash.update(texts.join(''));
      first.push(...rows.slice(0, SHOWN_ROWS - first.length).map(({ pet }) => pet));
      count += rows.length;
      hasIds ||= rows.some(({ hasId }) => hasId);
    },
    finish(): CheckedFile {
      return { count, alike: alike.count(), digest: hash.digest('hex'), first, hasIds };
    },
  };
}

function refuse(name: string, mistakes: MistakeList): UserError {
  const count = mistakes.count();
  const mistake = count === 1 ? '1 mistake' : `${count.toLocaleString('en-US')} mistakes`;
  const message = `${name} has ${mistake}; nothing was sent.`;
  return new UserError('cli_invalid_input', message, { details: mistakes.describe() });
}

import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import * as v from 'valibot';
import type { Int64 } from '../../contract/int64.ts';
import type { PageQuery, StoredPet } from '../store.ts';

const PetRow = v.object({ id: v.bigint(), json: v.string() });
const PetRows = v.array(PetRow);

/** Reads pets over one connection; statements are prepared once. */
export function createPetReader(database: DatabaseSyncInstance) {
  const options = { readBigInts: true };
  const page = database.prepare(
    'SELECT id, json FROM pets WHERE id > ? ORDER BY id LIMIT ?',
    options,
  );
  const pageOfStatus = database.prepare(
    'SELECT id, json FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?',
    options,
  );
  const one = database.prepare('SELECT id, json FROM pets WHERE id = ?', options);
  return {
    listPets({ after, limit, status }: PageQuery): StoredPet[] {
      const rows =
        status === undefined ? page.all(after, limit) : pageOfStatus.all(status, after, limit);
      return v.parse(PetRows, rows);
    },

    findPet(id: Int64): StoredPet | undefined {
      return v.parse(v.optional(PetRow), one.get(id));
    },
  };
}

import * as v from 'valibot';
import type { Int64 } from '../../../contract/int64.ts';
import type { PageQuery, StoredPage, StoredPet } from '../store.ts';
import { Bigint } from './columns.ts';
import type { Connection } from './connection/open-connection.ts';

/** A pet as it is sent, like `encodePet`: one text is read faster than four values; for speed, see bench/README.md. */
const select = `SELECT id, '{"id":' || id::text || ',"name":' || to_json(name)::text
  || ',"categoryId":' || category_id::text || ',"status":"' || status || '"}' AS json FROM pets`;
const PetRow = v.object({ id: Bigint, json: v.string() });

/**
 * A statement for each limit, since the planner must know it: for `LIMIT $2` it assumes a tenth of the table, and then
 * plans each execution again, which takes as long as the execution.
 */
export function pageOf(limit: number) {
  return {
    name: `list_pets_${limit}`,
    text: `${select} WHERE id > $1 ORDER BY id LIMIT ${limit}`,
    row: PetRow,
  };
}

/**
 * Written so that the index on (status, id) alone gives the order. For `status = $2 ORDER BY id` a planner may walk the
 * primary key instead, expecting the next pet of this status to be near, and read all that follow the last one.
 */
function pageOfStatus(limit: number) {
  return {
    name: `list_pets_of_status_${limit}`,
    text: `${select} WHERE (status, id) > ($2, $1) AND status <= $2 ORDER BY status, id LIMIT ${limit}`,
    row: PetRow,
  };
}

const one = { name: 'find_pet', text: `${select} WHERE id = $1`, row: PetRow };

/** Reads pets over one connection. */
export function createPetReader({ query }: Pick<Connection, 'query'>) {
  return {
    async listPets({ after, limit, status }: PageQuery): Promise<StoredPage> {
      // One more than requested shows whether there is a next page.
      const rows =
        status === undefined
          ? await query(pageOf(limit + 1), [after])
          : await query(pageOfStatus(limit + 1), [after, status]);
      const pets = rows.slice(0, limit);
      return {
        json: `[${pets.map(({ json }) => json).join(',')}]`,
        next: rows.length > limit ? pets.at(-1)?.id : undefined,
      };
    },

    async findPet(id: Int64): Promise<StoredPet | undefined> {
      const [row] = await query(one, [id]);
      return row;
    },
  };
}

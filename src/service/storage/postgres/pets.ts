import * as v from 'valibot';
import { INT64_MAX } from '../../../contract/int64.ts';
import type { PageQuery, Store } from '../store.ts';
import { Bigint } from './columns.ts';
import type { Connections, Statement } from './pool.ts';

/** A pet as it is sent, like `encodePet`. */
const json = `'{"id":' || id || ',"name":' || to_json(name)::text || ',"categoryId":' || category_id
  || ',"status":"' || status || '"}'`;

const PetRow = v.object({ id: Bigint, json: v.string() });
const onePet: Statement<typeof PetRow> = {
  name: 'find_pet',
  text: `SELECT id, ${json} AS json FROM pets WHERE id = $1`,
  row: PetRow,
};

export function createPetReader({ query }: Connections): Pick<Store, 'listPets' | 'findPet'> {
  return {
    async listPets(page) {
      const start = page.order === 'asc' ? 0n : INT64_MAX;
      const rows = await query(pageOf(page), [page.after ?? start]);
      const pets = rows.slice(0, page.limit);
      return {
        json: `[${pets.map((pet) => pet.json).join(',')}]`,
        next: rows.length > page.limit ? pets.at(-1)?.id : undefined,
      };
    },
    findPet: async (id) => (await query(onePet, [id]))[0]?.json,
  };
}

/**
 * One more than asked for shows whether there is a next page. The limit is part of the text: for `LIMIT $2` the planner
 * assumes a tenth of the table, and plans each execution anew.
 */
function pageOf({ limit, order, status }: PageQuery): Statement<typeof PetRow> {
  const after = order === 'asc' ? '>' : '<';
  const rule = status === undefined ? `id ${after} $1` : ofStatus(status, after);
  const sorting = status === undefined ? `id ${order}` : `status ${order}, id ${order}`;
  return {
    name: `list_pets_${status ?? 'all'}_${order}_${limit}`,
    text: `SELECT id, ${json} AS json FROM pets WHERE ${rule} ORDER BY ${sorting} LIMIT ${limit + 1}`,
    row: PetRow,
  };
}

/**
 * Written so that only the index on (status, id) gives the order: for `status = … ORDER BY id` a planner may walk the primary
 * key instead, expecting the next pet of this status to be near, and read all that follow the last one.
 */
function ofStatus(status: string, after: '>' | '<'): string {
  const bound = after === '>' ? '<=' : '>=';
  return `(status, id) ${after} ('${status}', $1::bigint) AND status ${bound} '${status}'`;
}

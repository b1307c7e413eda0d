import * as v from 'valibot';
import { INT64_MAX, type Int64 } from '../../../contract/int64.ts';
import type { Order } from '../../../contract/operations.ts';
import type { PetStatus } from '../../../contract/pet.ts';
import type { PageQuery, Store } from '../store.ts';
import type { Connection } from './connection.ts';

const Text = v.optional(v.tuple([v.string()]));
const Page = v.tuple([v.nullable(v.string()), v.nullable(v.bigint())]);

/** Reads pets over one connection. */
export function createPetReader(connection: Connection): Pick<Store, 'listPets' | 'findPet'> {
  const onePet = prepare(connection, 'SELECT json FROM pets WHERE id = ?');
  const readers = new Map<string, (after: Int64, limit: number) => ReturnType<typeof readPage>>();

  function findReader({ order, status }: PageQuery) {
    const name = `${order} ${status}`;
    const reader = readers.get(name) ?? createPageReader(connection, order, status);
    readers.set(name, reader);
    return reader;
  }

  return {
    listPets(query) {
      const start = query.order === 'asc' ? 0n : INT64_MAX;
      return findReader(query)(query.after ?? start, query.limit);
    },
    findPet: (id) => v.parse(Text, onePet.get(id))?.[0],
  };
}

/** One row of finished text instead of a row per pet, for speed, see bench/README.md. */
function createPageReader(connection: Connection, order: Order, status: PetStatus | undefined) {
  const rule = `${status === undefined ? '' : `status = '${status}' AND`} id ${order === 'asc' ? '>' : '<'} ?`;
  const last = order === 'asc' ? 'max(id)' : 'min(id)';
  const page = prepare(
    connection,
    `SELECT group_concat(json, ','), ${last}
     FROM (SELECT id, json FROM pets WHERE ${rule} ORDER BY id ${order} LIMIT ?)`,
  );
  const further = prepare(connection, `SELECT 1 FROM pets WHERE ${rule} LIMIT 1`);
  return (after: Int64, limit: number) => readPage(page.get(after, limit), further);
}

function readPage(row: unknown, further: ReturnType<typeof prepare>) {
  const [json, last] = v.parse(Page, row);
  if (last === null) return { json: '[]', next: undefined };
  return { json: `[${json}]`, next: further.get(last) === undefined ? undefined : last };
}

/** Rows as arrays, for speed: the driver would make the names of an object anew for each. */
function prepare(connection: Connection, sql: string) {
  const statement = connection.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

import * as v from 'valibot';
import type { Int64 } from '../../../contract/int64.ts';
import type { PetStatus } from '../../../contract/pet.ts';
import type { PageQuery, StoredPage, StoredPet } from '../store.ts';
import type { Connection } from './connection/open-connection.ts';

const PetRow = v.optional(v.tuple([v.bigint(), v.string()]));
const PageRow = v.tuple([v.nullable(v.string()), v.nullable(v.bigint())]);
const GreatestRow = v.tuple([v.nullable(v.bigint())]);

export const selectPet = 'SELECT id, json FROM pets WHERE id = ?';

/** A page of the pets that meet a condition: one row of finished text instead of a row per pet; for speed, see bench/README.md. */
export function selectPage(condition: string): string {
  return `SELECT group_concat(json, ',') AS json, max(id) AS last
     FROM (SELECT id, json FROM pets WHERE ${condition} AND id > ? ORDER BY id LIMIT ?)`;
}

/** Prepares a statement whose rows are arrays; for speed: the driver makes the names of an object anew for each row. */
function prepare(database: Connection, sql: string) {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

/** Reads pets over one connection; statements are prepared once. */
export function createPetReader(database: Connection) {
  const one = prepare(database, selectPet);
  const readPage = createPageReader(database, 'TRUE');
  const readPageOf = {
    available: createPageReader(database, "status = 'available'"),
    pending: createPageReader(database, "status = 'pending'"),
    sold: createPageReader(database, "status = 'sold'"),
  } satisfies Record<PetStatus, typeof readPage>;
  return {
    listPets(query: PageQuery): StoredPage {
      const read = query.status === undefined ? readPage : readPageOf[query.status];
      return read(query);
    },

    findPet(id: Int64): StoredPet | undefined {
      const row = v.parse(PetRow, one.get(id));
      return row && { id: row[0], json: row[1] };
    },
  };
}

/** Reads pages of the pets that meet a condition. */
function createPageReader(database: Connection, condition: string) {
  const page = prepare(database, selectPage(condition));
  const greatest = prepare(database, `SELECT max(id) FROM pets WHERE ${condition}`);
  // Pets stay: once an id was seen, every page before it has a next one for good.
  let greatestSeen = 0n;

  function isLast(id: Int64): boolean {
    if (id < greatestSeen) return false;
    const [last] = v.parse(GreatestRow, greatest.get());
    greatestSeen = last ?? 0n;
    return id >= greatestSeen;
  }

  return ({ after, limit }: Omit<PageQuery, 'status'>): StoredPage => {
    const [json, last] = v.parse(PageRow, page.get(after, limit));
    if (last === null) return { json: '[]', next: undefined };
    return { json: `[${json}]`, next: isLast(last) ? undefined : last };
  };
}

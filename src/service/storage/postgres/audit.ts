import * as v from 'valibot';
import { PetStatus } from '../../../contract/pet.ts';
import type { Store } from '../store.ts';
import { Bigint, Time } from './columns.ts';
import type { Connections } from './pool.ts';

const select = {
  name: 'read_audit',
  text: `SELECT pets.id, pets.name, category_id AS "categoryId", status, added_by AS "keyId",
      api_keys.name AS "keyName", added_at AS "addedAt"
    FROM pets JOIN api_keys ON api_keys.id = added_by
    WHERE ($1::bigint IS NULL OR pets.id = $1) AND ($2::text IS NULL OR api_keys.name = $2)
      AND ($3::bigint IS NULL OR added_at >= $3)
    ORDER BY pets.id DESC LIMIT $4`,
  row: v.object({
    id: Bigint,
    name: v.string(),
    categoryId: Bigint,
    status: PetStatus,
    keyId: Bigint,
    keyName: v.string(),
    addedAt: Time,
  }),
} as const;

/** Who added which pet. An absent condition is null, and holds. */
export function createAuditReader({ query }: Connections): Store['readAudit'] {
  return ({ limit, petId, keyName, since }) =>
    query(select, [petId ?? null, keyName ?? null, since?.getTime() ?? null, limit]);
}

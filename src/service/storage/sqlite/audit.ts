import * as v from 'valibot';
import { PetStatus } from '../../../contract/pet.ts';
import type { AuditQuery, AuditRecord } from '../store.ts';
import { Time } from './columns.ts';
import type { Connection } from './connection.ts';

const AuditRows = v.array(
  v.object({
    id: v.bigint(),
    name: v.string(),
    categoryId: v.bigint(),
    status: PetStatus,
    keyId: v.bigint(),
    keyName: v.string(),
    addedAt: Time,
  }),
);

/** Reads over one connection who added which pet. An absent condition is null, and holds. */
export function createAuditReader(connection: Connection) {
  const select = connection.prepare(
    `SELECT pets.id, pets.name, category_id AS categoryId, status, added_by AS keyId,
       api_keys.name AS keyName, added_at AS addedAt
     FROM pets CROSS JOIN api_keys ON api_keys.id = added_by
     WHERE (:petId IS NULL OR pets.id = :petId) AND (:keyName IS NULL OR api_keys.name = :keyName)
       AND (:since IS NULL OR added_at >= :since)
     ORDER BY pets.id DESC LIMIT :limit`,
  );
  return ({ limit, petId, keyName, since }: AuditQuery): AuditRecord[] => {
    const values = { limit, petId: petId ?? null, keyName: keyName ?? null };
    return v.parse(AuditRows, select.all({ ...values, since: since?.getTime() ?? null }));
  };
}

import * as v from 'valibot';
import { PetStatus } from '../../../contract/pet.ts';
import type { AuditQuery, AuditRecord } from '../store.ts';
import { Bigint, OptionalId, OptionalTime } from './columns.ts';
import type { Connection } from './connection/open-connection.ts';

const page = {
  name: 'read_audit',
  text: `
    SELECT id, name, category_id AS "categoryId", status, added_by AS "keyId", added_at AS "addedAt"
    FROM pets WHERE id > $1 AND ($3::bigint[] IS NULL OR added_by = ANY($3::bigint[]))
      AND ($4::timestamptz IS NULL OR added_at >= $4::timestamptz)
    ORDER BY id LIMIT $2`,
  row: v.object({
    id: Bigint,
    name: v.string(),
    categoryId: Bigint,
    status: PetStatus,
    keyId: OptionalId,
    addedAt: OptionalTime,
  }),
};

/** Reads over one connection who added which pet. */
export function createAuditReader({ query }: Pick<Connection, 'query'>) {
  return {
    readAudit: ({ after, limit, keyIds, since }: AuditQuery): Promise<AuditRecord[]> =>
      query(page, [after, limit, keyIds ?? null, since ?? null]),
  };
}

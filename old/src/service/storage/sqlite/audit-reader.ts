import * as v from 'valibot';
import { PetStatus } from '../../../contract/pet.ts';
import type { AuditQuery, AuditRecord } from '../store.ts';
import { OptionalId, OptionalTime } from './columns.ts';
import type { Connection } from './connection/open-connection.ts';

const AuditRows = v.array(
  v.object({
    id: v.bigint(),
    name: v.string(),
    categoryId: v.bigint(),
    status: PetStatus,
    keyId: OptionalId,
    addedAt: OptionalTime,
  }),
);

/** Reads over one connection who added which pet. */
export function createAuditReader(database: Connection) {
  return {
    readAudit({ after, limit, keyIds, since }: AuditQuery): AuditRecord[] {
      const conditions = ['id > :after'];
      if (keyIds !== undefined) conditions.push(`added_by IN (${keyIds.join()})`);
      if (since !== undefined) conditions.push(`added_at >= ${since.getTime()}`);
      const rows = database
        .prepare(
          `SELECT id, name, category_id AS categoryId, status, added_by AS keyId, added_at AS addedAt
           FROM pets WHERE ${conditions.join(' AND ')} ORDER BY id LIMIT :limit`,
        )
        .all({ after, limit });
      return v.parse(AuditRows, rows);
    },
  };
}

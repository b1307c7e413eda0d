import * as v from 'valibot';
import { PetStatus } from '../../../contract/pet.ts';

/** A bigint as the driver gives it: exact, as text. */
export const Bigint = v.pipe(
  v.string(),
  v.transform((text) => BigInt(text)),
);

const OptionalTime = v.pipe(
  v.nullable(v.date()),
  v.transform((time) => time ?? undefined),
);

/** The row of a statement that returns none. */
export const NoRow = v.never();

export const petColumns = 'id, name, category_id AS "categoryId", status';
export const PetRow = v.object({
  id: Bigint,
  name: v.string(),
  categoryId: Bigint,
  status: PetStatus,
});

export const apiKeyColumns = `id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt"`;
export const ApiKeyRow = v.object({
  id: Bigint,
  name: v.string(),
  createdAt: v.date(),
  lastUsedAt: OptionalTime,
  expiresAt: OptionalTime,
  revokedAt: OptionalTime,
});

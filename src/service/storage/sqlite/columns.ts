import * as v from 'valibot';
import { PetStatus } from '../../../contract/pet.ts';

/** A time, stored as milliseconds since the epoch. */
const Time = v.pipe(
  v.bigint(),
  v.transform((milliseconds) => new Date(Number(milliseconds))),
);

const OptionalTime = v.pipe(
  v.nullable(Time),
  v.transform((time) => time ?? undefined),
);

export const petColumns = 'pets.id, name, category_id AS categoryId, status';
export const PetRow = v.object({
  id: v.bigint(),
  name: v.string(),
  categoryId: v.bigint(),
  status: PetStatus,
});

export const apiKeyColumns = `id, name, created_at AS createdAt, last_used_at AS lastUsedAt,
  expires_at AS expiresAt, revoked_at AS revokedAt`;
export const ApiKeyRow = v.object({
  id: v.bigint(),
  name: v.string(),
  createdAt: Time,
  lastUsedAt: OptionalTime,
  expiresAt: OptionalTime,
  revokedAt: OptionalTime,
});

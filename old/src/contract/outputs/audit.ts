import * as v from 'valibot';
import { Pet } from '../pet.ts';

/** A pet with who added it and when, as `db audit` prints it. */
export const AuditedPet = v.strictObject({
  ...Pet.entries,
  /** Null where the store does not know; `key` is `unknown` then. */
  keyId: v.nullable(v.number()),
  /** The name of the API key. */
  key: v.string(),
  /** ISO 8601; null where the store does not know. */
  addedAt: v.nullable(v.string()),
});
export type AuditedPet = v.InferOutput<typeof AuditedPet>;

import * as v from 'valibot';
import { KeyAccess } from '../key-info.ts';

/** What `auth status` says about one environment; null where there is nothing to say. */
export const KeyStatus = v.strictObject({
  environment: v.string(),
  url: v.nullable(v.string()),
  selected: v.boolean(),
  state: v.picklist(['ok', 'missing', 'rejected', 'locked', 'unavailable', 'unchecked']),
  source: v.nullable(v.picklist(['keychain', 'file', 'variable'])),
  from: v.nullable(v.string()),
  lastFour: v.nullable(v.string()),
  /** ISO 8601 */
  storedAt: v.nullable(v.string()),
  /** What the key may do and when it ends (ISO 8601), as the service said; null when it said nothing. */
  access: v.nullable(KeyAccess),
  expiresAt: v.nullable(v.string()),
  reason: v.nullable(v.string()),
});
export type KeyStatus = v.InferOutput<typeof KeyStatus>;

/** What `auth token` prints. */
export const Token = v.strictObject({ environment: v.string(), key: v.string() });
export type Token = v.InferOutput<typeof Token>;

/** A key of the service's own database, as `keys create` prints it once. */
export const CreatedKey = v.strictObject({
  id: v.number(),
  name: v.string(),
  access: KeyAccess,
  /** ISO 8601 */
  createdAt: v.string(),
  expiresAt: v.nullable(v.string()),
  key: v.string(),
});
export type CreatedKey = v.InferOutput<typeof CreatedKey>;

/** The successor of a key, as `keys rotate` prints it once. */
export const RotatedKey = v.strictObject({
  ...CreatedKey.entries,
  /** The key in whose place it is, and when that ends. */
  replaces: v.strictObject({ id: v.number(), expiresAt: v.string() }),
});
export type RotatedKey = v.InferOutput<typeof RotatedKey>;

/** A key of the service's own database, as `keys list` prints it. */
export const ListedKey = v.strictObject({
  id: v.number(),
  name: v.string(),
  access: KeyAccess,
  state: v.picklist(['active', 'expired', 'revoked']),
  /** ISO 8601, as all times. */
  createdAt: v.string(),
  lastUsedAt: v.nullable(v.string()),
  expiresAt: v.nullable(v.string()),
  revokedAt: v.nullable(v.string()),
});
export type ListedKey = v.InferOutput<typeof ListedKey>;

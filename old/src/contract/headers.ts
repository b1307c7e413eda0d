/** Names of the HTTP header fields that client and service agree on beyond the standard ones, as sent. */
export const headers = {
  /** Client to service: one value per add, the same across its retries (draft-ietf-httpapi-idempotency-key-header-07). */
  idempotencyKey: 'Idempotency-Key',
  /** Service to client: this response was sent before for the same key. */
  idempotencyReplayed: 'Idempotency-Replayed',
  /** Service to client, on every /v1 response: keys are honored, and for how long. */
  petstoreIdempotency: 'Petstore-Idempotency',
  /** Service to client, on every response to a valid key: what the key may do, and until when. */
  petstoreKey: 'Petstore-Key',
  requestId: 'X-Request-Id',
} as const;

/** How long an idempotency key is remembered, in days. */
export const IDEMPOTENCY_DAYS = 7;

/** The same in milliseconds. */
export const IDEMPOTENCY_LIFETIME_MS = IDEMPOTENCY_DAYS * 24 * 60 * 60 * 1000;

import * as v from 'valibot';

/** Names of the HTTP header fields that client and service agree on beyond the standard ones, as sent. */
export const headerNames = {
  /** Client to service: one value per add, the same across its retries (draft-ietf-httpapi-idempotency-key-header-07). */
  idempotencyKey: 'Idempotency-Key',
  /** Service to client: this response was sent before for the same key. */
  idempotencyReplayed: 'Idempotency-Replayed',
  /** Service to client, on a 201 to an add with a key: the HTTP date until which the service knows that key. */
  idempotencyExpires: 'Idempotency-Expires',
  /** Service to client, on every /v1 response: keys are honored, and for how long. */
  petstoreIdempotency: 'Petstore-Idempotency',
  /** Service to client, on every response to a valid key: what the key may do, and until when. */
  petstoreKey: 'Petstore-Key',
  requestId: 'X-Request-Id',
} as const;

/** How long an idempotency key is remembered, in days, and the same in milliseconds. */
export const IDEMPOTENCY_DAYS = 7;
export const IDEMPOTENCY_LIFETIME_MS = IDEMPOTENCY_DAYS * 24 * 60 * 60 * 1000;

/** A value of `Idempotency-Key`: 1 to 255 printable ASCII characters without spaces. */
export const IdempotencyKey = v.pipe(
  v.string(),
  v.regex(/^[!-~]{1,255}$/, 'must be 1 to 255 printable ASCII characters without spaces'),
);

/** What an API key may do: `write` includes reading. */
export const keyAccesses = ['read', 'write'] as const;
export const KeyAccess = v.picklist(keyAccesses);
export type KeyAccess = v.InferOutput<typeof KeyAccess>;

export interface KeyInfo {
  readonly access: KeyAccess;
  readonly expiresAt?: Date | undefined;
}

/** The value of `Petstore-Key`: a Dictionary (RFC 9651, section 3.2), such as `access=write, expires=@1798761600`. */
export function formatKeyInfo({ access, expiresAt }: KeyInfo): string {
  if (expiresAt === undefined) return `access=${access}`;
  return `access=${access}, expires=@${Math.floor(expiresAt.getTime() / 1000)}`;
}

/** Reads a value of `Petstore-Key`, whatever other members it holds. Undefined when it says nothing of the access. */
export function parseKeyInfo(value: string): KeyInfo | undefined {
  const members = new Map(value.split(',').map((member) => readMember(member.trim())));
  const access = v.safeParse(KeyAccess, members.get('access'));
  if (!access.success) return undefined;
  const seconds = /^@(\d{1,12})$/.exec(members.get('expires') ?? '')?.[1];
  return {
    access: access.output,
    ...(seconds !== undefined && { expiresAt: new Date(Number(seconds) * 1000) }),
  };
}

function readMember(member: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^=;]*)=?([^;]*)/.exec(member) ?? [];
  return [name, value];
}

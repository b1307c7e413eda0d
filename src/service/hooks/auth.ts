import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isApiKey } from '../../contract/api-key.ts';
import { formatKeyInfo, headerNames, IDEMPOTENCY_DAYS } from '../../contract/headers.ts';
import type { Int64 } from '../../contract/int64.ts';
import { findKeyState, hashApiKey } from '../api-keys.ts';
import { ServiceError } from '../service-error.ts';
import type { ApiKeyRecord, Store } from '../storage/store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key of this request, below the base path. */
    apiKey: ApiKeyRecord;
  }
}

export interface AuthParts {
  readonly store: Pick<Store, 'findKey'>;
  readonly clock: () => Date;
  /** Called at most twice a second for each key. */
  readonly noteUse: (keyId: Int64, at: Date) => void;
}

/** How long a look-up is used, in milliseconds: half of the second within which a revocation takes effect. */
const TRUST_MS = 500;
const TRUSTED_KEYS = 4_096;
const IDEMPOTENCY = `${IDEMPOTENCY_DAYS}d`;

interface Caller {
  readonly apiKey: ApiKeyRecord;
  /** The value of `Petstore-Key`. */
  readonly info: string;
}

const challenge = 'Bearer realm="petstore"';
const missingKey = new ServiceError(
  'unauthorized',
  'an API key is needed: Authorization: Bearer <key>',
  { 'WWW-Authenticate': challenge },
);
const invalidKey = new ServiceError('unauthorized', 'this API key is not valid', {
  'WWW-Authenticate': `${challenge}, error="invalid_token"`,
});
const readOnlyKey = new ServiceError('forbidden', 'this API key can only read', {
  'WWW-Authenticate': `${challenge}, error="insufficient_scope"`,
});

/**
 * The hooks that let only valid keys pass (section 5). Keys are stored and looked up by SHA-256, so the time of a
 * response tells nothing but the hash of a guess, which its sender knows.
 */
export function createAuth({ store, clock, noteUse }: AuthParts) {
  const trusted = new LRUCache<string, Promise<Caller>>({ max: TRUSTED_KEYS, ttl: TRUST_MS });

  async function lookUp(key: string): Promise<Caller> {
    const apiKey = await store.findKey(hashApiKey(key));
    const now = clock();
    if (apiKey === undefined || findKeyState(apiKey, now) !== 'active') throw invalidKey;
    noteUse(apiKey.id, now);
    return { apiKey, info: formatKeyInfo(apiKey) };
  }

  function authenticate(authorization = ''): Promise<Caller> {
    const known = trusted.get(authorization);
    if (known !== undefined) return known;
    const key = /^bearer +([^ ]+)$/i.exec(authorization)?.[1];
    if (key === undefined) throw missingKey;
    // A mistyped key costs no look-up.
    if (!isApiKey(key)) throw invalidKey;
    const caller = lookUp(key);
    trusted.set(authorization, caller);
    return caller;
  }

  return {
    async onRequest(request: FastifyRequest, response: FastifyReply): Promise<void> {
      response.header(headerNames.petstoreIdempotency, IDEMPOTENCY);
      const { apiKey, info } = await authenticate(request.headers.authorization);
      request.apiKey = apiKey;
      response.header(headerNames.petstoreKey, info);
      if (request.method === 'POST' && apiKey.access === 'read') throw readOnlyKey;
    },
    /** Again when the body has arrived, for which the key may have ended. */
    async preHandler({ method, headers: { authorization } }: FastifyRequest): Promise<void> {
      if (method === 'POST') await authenticate(authorization);
    },
  };
}

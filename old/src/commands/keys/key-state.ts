import type { ListedKey } from '../../contract/outputs/api-keys.ts';

type ApiKeyRecord = import('../../service/storage/store.ts').ApiKeyRecord;

export function findKeyState(
  { revokedAt, expiresAt }: ApiKeyRecord,
  now: Date,
): ListedKey['state'] {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
}

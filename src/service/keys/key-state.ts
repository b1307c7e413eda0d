import type { ApiKeyRecord } from '../storage/store.ts';

export type KeyState = 'active' | 'expired' | 'revoked';

/** Whether a key is accepted at a time, and if not, why. */
export function findKeyState({ revokedAt, expiresAt }: ApiKeyRecord, at: Date): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= at ? 'expired' : 'active';
}

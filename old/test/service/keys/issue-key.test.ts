import { expect, it } from 'vitest';
import { replaceKey } from '../../../src/service/keys/issue-key.ts';
import type { KeyRotation } from '../../../src/service/storage/store.ts';

const createdAt = new Date('2026-11-20T12:00:00Z');
const later = new Date('2026-12-01T12:00:00Z');
const day = 24 * 60 * 60 * 1000;

it.each([
  ['without an end has none', undefined, undefined],
  ['of a day has a day', new Date(createdAt.getTime() + day), new Date(later.getTime() + day)],
])('the successor of a key %s', async (_, expiresAt, end) => {
  const rotations: KeyRotation[] = [];
  const former = {
    ...({ id: 1n, name: 'till', access: 'read', createdAt, expiresAt } as const),
    ...{ lastUsedAt: undefined, revokedAt: undefined },
  };
  const rotateKey = async (rotation: KeyRotation) => void rotations.push(rotation);
  expect(await replaceKey({ rotateKey }, { former, createdAt: later, endsAt: later })).toBe(
    undefined,
  );
  const successor = { name: 'till', access: 'read', createdAt: later, expiresAt: end };
  expect(rotations).toEqual([
    { id: 1n, endsAt: later, successor: { ...successor, hash: expect.any(Buffer) } },
  ]);
});

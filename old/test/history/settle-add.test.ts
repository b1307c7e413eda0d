import { describe, expect, it } from 'vitest';
import { RequestError } from '../../src/client/request-error.ts';
import { describeAddFailure } from '../../src/history/add-result.ts';
import type { AddEntry } from '../../src/history/entry.ts';
import { findObstacle, settleAdd } from '../../src/history/settle-add.ts';

const pet = { name: 'Rex', categoryId: 7n } as const;
const now = new Date('2026-11-20T09:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const entry: AddEntry = {
  ...{ id: 1, at: now, environment: 'staging', url: 'https://pets.example/v1', key: 'k1' },
  ...{ command: 'add', outcome: 'unknown', petId: null, reason: null, isKeyHonored: true, pet },
};

const request = { method: 'POST', url: 'https://pets.example/v1/pets', id: 'r1' } as const;
const refusal = (status: number, message = 'no', honorsIdempotency?: boolean) =>
  new RequestError(
    request,
    { kind: 'response', status, error: { code: 'refused', message, status } },
    'not_applied',
    { honorsIdempotency },
  );
const failing = (error: unknown) => ({ createPet: () => Promise.reject(error) });

describe('an add is sent again only where its idempotency key is surely recognized', () => {
  const forgotten = 'the service no longer recognizes its idempotency key';

  it.each([
    [0, undefined],
    [7 * 24 * HOUR - HOUR, undefined],
    [7 * 24 * HOUR - HOUR + 1, forgotten],
    [-5 * MINUTE, undefined],
    [-5 * MINUTE - 1, 'it was recorded at a time that is still to come'],
  ])('sent %i ms ago: %s', (age, obstacle) => {
    expect(findObstacle(entry, ago(age), now)).toBe(obstacle);
  });

  it('not to a service that does not honor keys', () => {
    expect(findObstacle({ ...entry, isKeyHonored: false }, now, now)).toBe(
      'the service did not honor its idempotency key',
    );
  });
});

describe('an add that is sent again', () => {
  it('goes out under its own key, and says whether it had been added before', async () => {
    const sent: unknown[] = [];
    const created = { pet: { ...pet, id: 9n }, isReplay: true };
    const createPet = async (...words: unknown[]) => {
      sent.push(words);
      return created;
    };
    expect(await settleAdd({ createPet }, entry)).toEqual({
      ...created,
      result: { outcome: 'applied', petId: 9n, reason: null, isKeyHonored: true },
    });
    expect(sent).toEqual([[pet, { idempotencyKey: 'k1' }]]);
  });

  it.each([400, 413, 422])('and is refused with %i was not added', async (status) => {
    expect(await settleAdd(failing(refusal(status)), entry)).toEqual({
      result: {
        ...{ outcome: 'not_applied', petId: null, isKeyHonored: true },
        reason: `${status} refused: no`,
      },
    });
  });

  it.each([401, 403, 409, 500])('and meets %i is as unknown as before', async (status) => {
    const error = refusal(status);
    const settled = await settleAdd(failing(error), entry);
    expect(settled.result.outcome).toBe('unknown');
    expect(settled.failure).toBe(error);
  });

  it('passes on what is a mistake of the program', async () => {
    const bug = new TypeError('a bug');
    await expect(settleAdd(failing(bug), entry)).rejects.toBe(bug);
  });
});

describe('an add that failed', () => {
  it.each([
    [undefined, true],
    [true, true],
    [false, false],
  ])('where keys are honored: %s, is recorded with %s', (honors, isKeyHonored) => {
    expect(describeAddFailure(refusal(400, 'no', honors))).toMatchObject({
      outcome: 'not_applied',
      isKeyHonored,
    });
  });

  it('has no more of its reason recorded than a thousand characters', () => {
    expect(describeAddFailure(refusal(400, 'x'.repeat(2_000))).reason).toHaveLength(1_000);
  });
});

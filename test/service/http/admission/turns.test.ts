import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTurns } from '../../../../src/service/http/admission/turns.ts';

it('runs a little work per turn, in its order, and the first of a turn at once', async () => {
  const { wait } = createTurns({ deferredPerTurn: 2, longestSkip: 0 });
  const done: number[] = [];
  for (let index = 0; index < 5; index += 1) wait(() => void done.push(index));
  expect(done).toEqual([0, 1]);
  await nextTurn();
  expect(done).toEqual([0, 1, 2, 3]);
  wait(() => void done.push(5));
  await nextTurn();
  expect(done).toEqual([0, 1, 2, 3, 4, 5]);
  await nextTurn();
  await nextTurn();
  wait(() => void done.push(6));
  expect(done.at(-1)).toBe(6);
});

it('leaves work out of a turn that is skipped', async () => {
  const { wait, skip } = createTurns({ deferredPerTurn: 2, longestSkip: 60_000 });
  const done: number[] = [];
  for (let index = 0; index < 3; index += 1) wait(() => void done.push(index));
  for (let turn = 0; turn < 3; turn += 1) {
    skip();
    wait(() => void done.push(3 + turn));
    await nextTurn();
    expect(done).toEqual([0, 1]);
  }
  await nextTurn();
  expect(done).toEqual([0, 1, 2, 3]);
});

it('goes on with a little work per turn when turns are skipped for too long', async () => {
  const { wait, skip } = createTurns({ deferredPerTurn: 2, longestSkip: 0 });
  const done: number[] = [];
  for (let index = 0; index < 5; index += 1) wait(() => void done.push(index));
  skip();
  await nextTurn();
  expect(done).toEqual([0, 1, 2, 3]);
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTurns } from '../../../../src/service/http/admission/turns.ts';

it('runs a little work per turn, in its order, and the first of a turn at once', async () => {
  const wait = createTurns(2);
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

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
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

it('work for the next turn comes before what waits, and is left out with it', async () => {
  const { wait, next, skip } = createTurns({ deferredPerTurn: 1, longestSkip: 60_000 });
  const done: string[] = [];
  const note = (text: string) => () => void done.push(text);
  for (const text of ['at once', 'waits', 'waits longer']) wait(note(text));
  next(note('first'));
  next(note('second'));
  expect(done).toEqual(['at once']);
  skip();
  await nextTurn();
  expect(done).toEqual(['at once']);
  await nextTurn();
  expect(done).toEqual(['at once', 'first', 'second', 'waits']);
  next(note('alone'));
  await nextTurn();
  expect(done.slice(4)).toEqual(['alone', 'waits longer']);
  next(note('last'));
  await nextTurn();
  expect(done.slice(6)).toEqual(['last']);
});

it('turns are skipped for so long at most since the first, then as long again', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const { wait, skip } = createTurns({ deferredPerTurn: 1, longestSkip: 20 });
  const done: number[] = [];
  for (let index = 0; index < 4; index += 1) wait(() => void done.push(index));
  const counts: number[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    skip();
    await nextTurn();
    counts.push(done.length);
    now += 10;
  }
  expect(counts).toEqual([1, 1, 2, 2, 2, 3]);
});

it('a turn in which nothing waits ends the time of skipping', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const { wait, skip } = createTurns({ deferredPerTurn: 1, longestSkip: 20 });
  skip();
  await nextTurn();
  now += 60;
  const done: number[] = [];
  skip();
  wait(() => void done.push(1));
  await nextTurn();
  expect(done).toEqual([]);
  await nextTurn();
  expect(done).toEqual([1]);
});

it('work that comes after a turn was left out follows what was', async () => {
  const { wait, skip } = createTurns({ deferredPerTurn: 2, longestSkip: 60_000 });
  const done: number[] = [];
  for (let index = 0; index < 3; index += 1) wait(() => void done.push(index));
  skip();
  await nextTurn();
  wait(() => void done.push(3));
  expect(done).toEqual([0, 1]);
  await nextTurn();
  expect(done).toEqual([0, 1, 2, 3]);
});

it('work for the next turn alone is done in the turn after one that is left out; then nothing is scheduled', async () => {
  const { next, skip } = createTurns({ deferredPerTurn: 2, longestSkip: 60_000 });
  const done: number[] = [];
  next(() => void done.push(0));
  skip();
  await nextTurn();
  expect(done).toEqual([]);
  await nextTurn();
  expect(done).toEqual([0]);
  await nextTurn();
  expect(process.getActiveResourcesInfo()).not.toContain('Immediate');
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { waitForWrites } from '../../src/client/write-wait.ts';

it('a wait for writes takes two turns of the event loop', async () => {
  let isOver = false;
  const wait = waitForWrites().then(() => {
    isOver = true;
  });
  await nextTurn();
  expect(isOver).toBe(false);
  await wait;
});

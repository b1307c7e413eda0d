import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createWriteWait } from '../../src/client/write-wait.ts';

it('a wait for writes takes two turns, is shared until then, and begins anew afterwards', async () => {
  const wait = createWriteWait();
  let isOver = false;
  const first = wait().then(() => {
    isOver = true;
  });
  const shared = wait();
  await nextTurn();
  expect(isOver).toBe(false);
  expect(wait()).toBe(shared);
  await first;
  expect(wait()).not.toBe(shared);
});

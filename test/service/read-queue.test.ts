import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createReadQueue } from '../../src/service/routes/read-queue.ts';

const open = { socket: new Socket() };

it('lets the event loop do something else between reads that take long', async () => {
  const queue = createReadQueue(512);
  const order: string[] = [];
  const read = () => {
    const end = performance.now() + 6;
    while (performance.now() < end);
    order.push('read');
  };
  const reads = [queue(open, read), queue(open, read), queue(open, read)];
  await new Promise(setImmediate);
  order.push('other');
  await Promise.all(reads);
  expect(order.indexOf('other')).toBeLessThan(2);
});

it('refuses a read when too many wait', async () => {
  const queue = createReadQueue(2);
  const reads = [1, 2].map((page) => queue(open, () => page));
  await expect(queue(open, () => 3)).rejects.toMatchObject({ body: { code: 'unavailable' } });
  expect(await Promise.all(reads)).toEqual([1, 2]);
});

it('does not read for a connection that is gone', async () => {
  const socket = new Socket();
  const queue = createReadQueue(2);
  let isRead = false;
  const reading = queue({ socket }, () => {
    isRead = true;
  });
  socket.destroy();
  await expect(reading).rejects.toThrow('has gone');
  expect(isRead).toBe(false);
});

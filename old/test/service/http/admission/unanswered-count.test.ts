import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createRefusals } from '../../../../src/service/http/admission/refusals.ts';
import { createUnanswered } from '../../../../src/service/http/admission/unanswered.ts';
import { createLog } from '../../../../src/service/monitoring/log.ts';

const NO_LIMITS = { unansweredRequests: 1_000, pipelinedRequests: 1_000, unreadBytes: 1_000_000 };

/** Follows connections that have no network behind them. */
function open(limits: Partial<typeof NO_LIMITS>) {
  const refusals = createRefusals(createLog(() => {}, 'silent'));
  const unanswered = createUnanswered({ ...NO_LIMITS, ...limits }, refusals);
  return {
    ...unanswered,
    countClosed: (limit: string) =>
      refusals.write().filter((line) => line.endsWith(`_connections_total{limit="${limit}"} 1`))
        .length,
    /** Adds so many responses, and gives them with what was said of each. */
    addAll: (socket: Socket, count: number) => {
      const responses = Array.from({ length: count }, () => createResponse(socket));
      return { responses, added: responses.map((response) => unanswered.add(response)) };
    },
    countUnread: (socket: Socket, bytes: number) => {
      const response = createResponse(socket);
      unanswered.add(response);
      response.write('x'.repeat(bytes));
      unanswered.countUnread(response);
      return response;
    },
  };
}

function createResponse(socket: Socket): ServerResponse {
  return new ServerResponse(new IncomingMessage(socket));
}

function createSockets(): [Socket, Socket, Socket] {
  return [new Socket(), new Socket(), new Socket()];
}

it('a connection may have so many unanswered requests, counted anew as its responses are sent', () => {
  const { addAll, countClosed, findLatest } = open({ unansweredRequests: 2 });
  const [socket] = createSockets();
  const { responses, added } = addAll(socket, 2);
  expect(added).toEqual([true, true]);
  responses[0]?.emit('finish');
  expect(addAll(socket, 1).added).toEqual([true]);
  expect(countClosed('unanswered_requests')).toBe(0);
  expect(addAll(socket, 1).added).toEqual([false]);
  expect(socket.destroyed).toBe(true);
  expect(countClosed('unanswered_requests')).toBe(1);
  expect(addAll(socket, 1).added).toEqual([false]);
  expect(findLatest(socket)).toBeUndefined();
});

it('of pipelined requests too many in all, the connection with most of them is closed', () => {
  const { addAll } = open({ pipelinedRequests: 4 });
  const [few, most, other] = createSockets();
  // The first of each is not pipelined.
  expect(addAll(few, 1).added).toEqual([true]);
  expect(addAll(most, 4).added).toEqual([true, true, true, true]);
  expect(addAll(other, 2).added).toEqual([true, true]);
  expect(addAll(few, 1).added).toEqual([true]);
  expect([few, most, other].map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
});

it('of two that have as many, the one that was there before; what it had counts no more', () => {
  const { addAll } = open({ pipelinedRequests: 4 });
  const [first, second, other] = createSockets();
  const { responses } = addAll(first, 3);
  expect(addAll(second, 3).added).toEqual([true, true, true]);
  expect(addAll(other, 2).added).toEqual([true, true]);
  expect([first, second, other].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  for (const response of responses) response.emit('finish');
  expect(addAll(other, 1).added).toEqual([true]);
  expect(addAll(other, 1).added).toEqual([false]);
});

it('unread bytes are counted with what each response costs, until it is sent', () => {
  const { countUnread, hasUnread, countClosed } = open({ unreadBytes: 25_000 });
  const [few, most, other] = createSockets();
  expect(hasUnread()).toBe(false);
  const response = countUnread(few, 1_000);
  expect(hasUnread()).toBe(true);
  response.emit('finish');
  expect(hasUnread()).toBe(false);
  countUnread(few, 1);
  countUnread(most, 9_000);
  countUnread(other, 1);
  expect(countClosed('unread_responses')).toBe(0);
  countUnread(other, 1);
  expect([few, most, other].map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
  expect(countClosed('unread_responses')).toBe(1);
});

it('a connection that closes is forgotten with all it had', async () => {
  const { addAll, countUnread, hasUnread, findLatest, isWaiting } = open({});
  const [socket, other] = createSockets();
  expect([findLatest(socket), isWaiting(socket)]).toEqual([undefined, false]);
  const { responses } = addAll(socket, 2);
  expect(findLatest(socket)).toBe(responses[1]);
  const unread = countUnread(socket, 1);
  expect([findLatest(socket), isWaiting(socket)]).toEqual([unread, true]);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.destroy();
  await closed;
  expect([findLatest(socket), isWaiting(socket), hasUnread()]).toEqual([undefined, false, false]);
  unread.emit('finish');
  countUnread(other, 1);
  expect(hasUnread()).toBe(true);
});

it('a connection that has the address of an earlier one goes on waiting when that is forgotten', async () => {
  const { addAll, isWaiting } = open({});
  const [earlier, socket] = createSockets();
  for (const one of [earlier, socket]) addAll(one, 1);
  const closed = new Promise((resolve) => earlier.once('close', resolve));
  earlier.destroy();
  await closed;
  expect(isWaiting(socket)).toBe(true);
});

it('a connection whose responses are all sent waits for nothing', () => {
  const { addAll, isWaiting } = open({});
  const [socket] = createSockets();
  const { responses } = addAll(socket, 2);
  responses[0]?.emit('finish');
  expect(isWaiting(socket)).toBe(true);
  responses[1]?.emit('finish');
  expect(isWaiting(socket)).toBe(false);
});

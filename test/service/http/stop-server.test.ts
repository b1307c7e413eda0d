import { createServer } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createAdmission } from '../../../src/service/http/admission/admission.ts';
import { stopServers } from '../../../src/service/http/stop-server.ts';
import { createLog } from '../../../src/service/monitoring/log.ts';
import { openConnection } from '../../support/open-connection.ts';

/** A server with one connection, on which a request was made, and what bounds it. */
async function open(respond: boolean) {
  const limits = { drainTime: 0 };
  const log = createLog(() => {}, 'silent');
  const admission = createAdmission({ behindProxy: false, limits }, log);
  const server = createServer((_, response) => void (respond && response.end()));
  admission.connections.watch(server);
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = Object(server.address());
  const connection = await openConnection({ url: `http://127.0.0.1:${port}` });
  const requested = new Promise((resolve) => server.once('request', resolve));
  connection.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await requested;
  return { admission, server, connection };
}

it.each([
  ['before a look', [true, false, false]],
  ['after a look', [false, true]],
])('no connection is taken for idle while some wait to be read %s', async (_, looks) => {
  const { admission, server } = await open(true);
  const seen: boolean[] = [];
  const isBehind = () => {
    const isSo = looks[seen.length] ?? false;
    seen.push(isSo);
    return isSo;
  };
  let last: boolean[] | undefined;
  const close = server.closeIdleConnections.bind(server);
  vi.spyOn(server, 'closeIdleConnections').mockImplementation(() => {
    last ??= seen.slice(-2);
    close();
  });
  const reading = { ...admission.reading, isBehind };
  await stopServers([server], { ...admission, reading }, new AbortController());
  expect(last).toEqual([false, false]);
});

it('a connection whose request is still in flight after nine seconds is destroyed', async () => {
  const { admission, server, connection } = await open(false);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = stopServers([server], admission, new AbortController());
  vi.advanceTimersByTime(8_999);
  expect(admission.connections.size).toBe(1);
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  await stopped;
  await connection.closed();
  expect(connection.statuses()).toEqual([]);
});

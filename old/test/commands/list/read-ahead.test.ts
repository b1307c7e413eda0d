import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type RawRequest, startRawServer } from '../../support/raw-server.ts';
import { runPetstore } from '../../support/run-program.ts';
import { stagingAt } from '../../support/staging.ts';
import { within } from '../../support/within.ts';

const first = '[{"id":1,"name":"Rex","categoryId":7}]';
const firstHead = [
  'HTTP/1.1 200 OK',
  'Content-Type: application/json',
  'Link: </v1/pets?cursor=b>; rel="next"',
  `Content-Length: ${first.length}`,
  '\r\n',
].join('\r\n');
const busy = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 12\r\nContent-Length: 0\r\n\r\n';

/** A slow one: the first page's body arrives when the response to the request for the second one has. */
async function startServer(respondNext: (socket: Socket) => void) {
  let sendBody = () => {};
  const server = { asked: 0, isClosed: Promise.resolve(), url: '' };
  server.url = await startRawServer((socket: Socket, { path }: RawRequest) => {
    if (!path.includes('cursor')) {
      socket.write(firstHead);
      sendBody = () => socket.write(first);
      return;
    }
    server.asked += 1;
    server.isClosed = new Promise((resolve) => socket.on('close', () => resolve()));
    respondNext(socket);
    setTimeout(sendBody, 100);
  });
  return server;
}

const run = (url: string, argv: readonly string[], failWrites = false) =>
  within(
    runPetstore(argv, { env: stagingAt(url, 'k'), failWrites }),
    `${argv.join(' ')} ends without the second page`,
    5_000,
  );

describe('a page read ahead is given up when the command is done', () => {
  it.each([
    ['busy for 12 seconds', (socket: Socket) => void socket.write(busy)],
    ['silent', () => {}],
  ])('whose server is %s', async (_, respondNext) => {
    const server = await startServer(respondNext);
    const { exitCode, stdout, stderr } = await run(server.url, [
      'get',
      '1',
      '--via',
      'list',
      '--json',
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ id: 1 });
    await within(server.isClosed, 'the connection is closed');
    expect(server.asked).toBe(1);
  });

  it('also when the command fails', async () => {
    const server = await startServer((socket) => void socket.write(busy));
    const { exitCode, stderr } = await run(server.url, ['list', '--all', '--ndjson'], true);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('no space left');
    expect(stderr).not.toContain('retrying');
    expect(server.asked).toBe(1);
  });
});

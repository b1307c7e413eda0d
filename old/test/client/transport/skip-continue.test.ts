import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { skipContinue } from '../../../src/client/transport/skip-continue.ts';

const informational = 'HTTP/1.1 100 Continue\r\nX: y\r\n\r\n';
const final = 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 100 body';

/** A connection on which these chunks arrive, after a request of so many bytes. */
function open(chunks: readonly string[]) {
  const waiting = chunks.map((chunk) => Buffer.from(chunk, 'latin1'));
  const socket = Object.assign(new Socket(), { read: () => waiting.shift() ?? null });
  let written = 1;
  Object.defineProperty(socket, 'bytesWritten', { get: () => written });
  const connect = skipContinue((_, callback) => callback(null, socket));
  let filtered: Socket | undefined;
  connect({ hostname: 'pets.test', protocol: 'http:', port: '80' }, (_, opened) => {
    if (opened) filtered = opened;
  });
  const readAll = () => {
    const read: string[] = [];
    for (let chunk = filtered?.read(); chunk; chunk = filtered?.read())
      read.push(chunk.toString('latin1'));
    return read;
  };
  const sendNext = (...more: string[]) => {
    written += 1;
    waiting.push(...more.map((chunk) => Buffer.from(chunk, 'latin1')));
  };
  return { readAll, sendNext };
}

describe('what arrives after a request', () => {
  it.each([
    [[final], [final]],
    [[informational + final], [final]],
    [
      [informational, final],
      ['', final],
    ],
    [[informational.repeat(3) + final], [final]],
    [[...(informational + final)], [final.slice(0, 10), ...final.slice(10)]],
    [['HTTP/1.1 101 Switching\r\n\r\n'], ['HTTP/1.1 101 Switching\r\n\r\n']],
    [['HTTP/1.1 100 never ends'], []],
    [['HTTP/1.1 10'], []],
  ])('%# is read without what only informs', (chunks, expected) => {
    expect(open(chunks).readAll().join('')).toBe(expected.join(''));
  });

  it('an informational head that does not end is passed on before it grows without bound', () => {
    const head = `HTTP/1.1 100 ${'x'.repeat(16_384 - 13)}`;
    expect(open([head.slice(0, -1)]).readAll()).toEqual([]);
    expect(open([head]).readAll()).toEqual([head]);
  });

  it('is looked at once per request: a body may begin like a head', () => {
    const { readAll, sendNext } = open([final, informational]);
    expect(readAll()).toEqual([final, informational]);
    sendNext(informational + final, informational);
    expect(readAll()).toEqual([final, informational]);
  });
});

it('a connection that fails is passed on as a failure', () => {
  const failure = new Error('refused');
  const seen: unknown[] = [];
  skipContinue((_, callback) => callback(failure, null))(
    { hostname: 'pets.test', protocol: 'http:', port: '80' },
    (error, socket) => seen.push(error, socket),
  );
  expect(seen).toEqual([failure, null]);
});

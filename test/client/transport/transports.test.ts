import { expect, it, onTestFinished } from 'vitest';
import { attempt } from '../../../src/client/attempt.ts';
import { createQuote } from '../../../src/client/quote.ts';
import { createTransport } from '../../../src/client/transport/create-transport.ts';
import { createHttpTransport } from '../../../src/client/transport/http-transport.ts';
import type { Transport } from '../../../src/client/transport/transport.ts';
import { createUndiciTransport } from '../../../src/client/transport/undici-transport.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { type Misbehavior, misbehaviors } from '../../support/misbehaviors.ts';
import { startRawServer } from '../../support/raw-server.ts';

function open(transport: Transport): Transport {
  onTestFinished(() => transport.close());
  return transport;
}

const body = '{"name":"Rex","categoryId":7}';

/** What a client makes of an add. */
async function meet(transport: Transport, { respond }: Misbehavior) {
  const url = new URL(`${await startRawServer(respond)}/pets`);
  const headers = { 'Content-Length': String(body.length) };
  const { signal } = new AbortController();
  const options = { timeout: 1_000, signal, quote: createQuote('key') };
  const result = await attempt(transport, { method: 'POST', url, headers, body }, options);
  return { ...result, cause: undefined };
}

/** What Node finds wrong first, where undici finds something else. */
const worded = new Map([
  [
    'two lengths',
    [
      'Response does not match the HTTP/1.1 protocol (Duplicate Content-Length)',
      'Response body length does not match content-length header',
    ],
  ],
]);

it.each(misbehaviors)('Node and undici have the same result of $name', async (misbehavior) => {
  const [node, undici] = await Promise.all([
    meet(open(createHttpTransport()), misbehavior),
    meet(open(createUndiciTransport({ proxy: undefined })), misbehavior),
  ]);
  const [found = '', other = ''] = worded.get(misbehavior.name) ?? [];
  expect(JSON.parse(JSON.stringify(node).replaceAll(found, other))).toEqual(
    JSON.parse(JSON.stringify(undici)),
  );
});

it('a few requests are sent by Node; those beside another, and many, by undici', async () => {
  const senders: string[] = [];
  const { url } = await startHttpServer((request, response) => {
    // Undici writes its own fields in small letters.
    senders.push(request.rawHeaders.includes('host') ? 'undici' : 'node');
    response.end('{}');
  });
  const send = (transport: Transport) =>
    transport.send(
      { method: 'GET', url: new URL(url), headers: {}, body: undefined },
      { onEnd: () => {} },
      { onSend: () => {}, onResponse: () => {} },
    );
  const transport = open(createTransport({ proxy: undefined }));
  for (let count = 0; count < 6; count += 1) await send(transport);
  expect(senders).toEqual(['node', 'node', 'node', 'node', 'undici', 'undici']);
  const beside = open(createTransport({ proxy: undefined }));
  await Promise.all([send(beside), send(beside)]);
  expect(senders.slice(6).sort()).toEqual(['node', 'undici']);
});

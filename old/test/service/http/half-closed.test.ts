import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { addRequest, listRequest } from '../../support/open-connection.ts';
import { startService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

const body = '{"name":"Rex","categoryId":7}';
const add = (key: string) => addRequest(key, `Content-Length: ${body.length}`, body);

it.each([
  ['an add', [add], [201]],
  ['a list', [listRequest], [200]],
  ['several of both', [add, listRequest, add], [201, 200, 201]],
])('a client that has sent %s and ends its side gets every response', async (_, sent, statuses) => {
  const service = await startService();
  onTestFinished(service.close);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const { addPets, listPets } = service.store;
  service.store.addPets = async (...parameters) => await held.then(() => addPets(...parameters));
  service.store.listPets = async (query) => await held.then(() => listPets(query));
  const socket = connect({ port: Number(new URL(service.url).port), allowHalfOpen: true });
  const received = text(socket);
  socket.end(sent.map((createRequest) => createRequest(service.key)).join(''));
  await once(socket, 'finish');
  // A connection opened later is served: the service has seen the end of the first.
  await waitFor(async () => expect((await fetch(new URL('/healthz', service.url))).ok).toBe(true));
  release();
  const responses = (await received).match(/HTTP\/1\.1 \d+/g) ?? [];
  expect(responses.map((line) => Number(line.slice(-3)))).toEqual(statuses);
});

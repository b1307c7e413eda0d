import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { startService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

const service = await startService();
afterAll(service.close);

const body = '{"name":"Rex","categoryId":7}';
const head = `Host: a\r\nAuthorization: Bearer ${service.key}\r\n`;
const requests = {
  add: `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  list: `GET /v1/pets?limit=3 HTTP/1.1\r\n${head}\r\n`,
};

it.each([
  ['an add', [requests.add], [201]],
  ['a list', [requests.list], [200]],
  ['several of both', [requests.add, requests.list, requests.add], [201, 200, 201]],
])('a client that has sent %s and ends its side gets every response', async (_, sent, statuses) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const { addPets, listPets } = service.store;
  service.store.addPets = async (...parameters) => await held.then(() => addPets(...parameters));
  service.store.listPets = async (query) => await held.then(() => listPets(query));
  const socket = connect({ port: Number(new URL(service.url).port), allowHalfOpen: true });
  const received = text(socket);
  socket.end(sent.join(''));
  await once(socket, 'finish');
  // A connection opened later is served: the service has seen the end of the first.
  await waitFor(async () => expect((await fetch(new URL('/healthz', service.url))).ok).toBe(true));
  release();
  const responses = (await received).match(/HTTP\/1\.1 \d+/g) ?? [];
  expect(responses.map((line) => Number(line.slice(-3)))).toEqual(statuses);
  Object.assign(service.store, { addPets, listPets });
});

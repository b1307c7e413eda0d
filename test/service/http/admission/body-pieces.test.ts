import { expect, it, onTestFinished } from 'vitest';
import { addRequest, openConnection, readMetric } from '../../../support/open-connection.ts';
import { startService } from '../../../support/service.ts';

const pet = '{"name":"Mrs Whiskers","categoryId":7}';

async function start(limits: object = {}) {
  const service = await startService({ overrides: { metricsPort: 0, limits } });
  onTestFinished(service.close);
  return service;
}

const inPieces = (text: string) => [...text].map((one) => `1\r\n${one}\r\n`).join('');

it('takes a body that comes a byte at a time', async () => {
  const service = await start();
  const { socket, text } = await openConnection(service);
  socket.write(addRequest(service.key, 'Transfer-Encoding: chunked', `${inPieces(pet)}0\r\n\r\n`));
  await expect.poll(text).toContain('"name":"Mrs Whiskers","categoryId":7');
});

it('closes a connection whose body comes in too many pieces', async () => {
  const service = await start({ bodyPieces: 10 });
  const { socket, statuses, closed } = await openConnection(service);
  socket.write(addRequest(service.key, 'Transfer-Encoding: chunked', inPieces(pet)));
  await closed();
  expect(statuses()).toEqual([]);
  const sample = 'petstore_closed_connections_total{limit="body_pieces"}';
  expect(await readMetric(service, sample)).toBe(1);
  await expect.poll(() => readMetric(service, 'petstore_requests_in_flight')).toBe(0);
});

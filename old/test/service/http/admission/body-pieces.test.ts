import { describe, expect, it, onTestFinished } from 'vitest';
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

describe('a body of unknown length', () => {
  const KIB_64 = 64 * 1024;
  const start64 = '{"name":"Mrs Whiskers",';
  const end64 = '"categoryId":7}';
  const inChunks = (text: string, size: number) =>
    (text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [])
      .map((one) => `${one.length.toString(16)}\r\n${one}\r\n`)
      .join('');

  it.each([999, 40_000])('is put together up to 64 KiB, %i bytes at a time', async (size) => {
    const service = await start();
    const send = async (bytes: number) => {
      const body = start64 + end64.padStart(bytes - start64.length);
      const { socket, text } = await openConnection(service);
      const chunks = `${inChunks(body, size)}0\r\n\r\n`;
      socket.write(addRequest(service.key, 'Transfer-Encoding: chunked', chunks));
      await expect.poll(text).toMatch(/\}$/);
      return text();
    };
    expect(await send(KIB_64)).toContain('"name":"Mrs Whiskers","categoryId":7');
    expect(await send(KIB_64 + 1)).toContain('HTTP/1.1 413 ');
  });
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

import { describe, expect, it, onTestFinished } from 'vitest';
import { createPetstoreClient, type PetstoreClient } from '../../../src/client/client.ts';
import { createPageReader } from '../../../src/client/pages/read-page.ts';
import { createRequestSender } from '../../../src/client/requests/send-request.ts';
import { createTransport } from '../../../src/client/transport/undici-transport.ts';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { within } from '../../support/within.ts';

const page = '[{"id":1,"name":"Rex","categoryId":7}]';
const link = '<?cursor=b>; rel="next"';
const ofThisService = { 'petstore-idempotency': '7d' };

function openClient(baseUrl: string, timeout = 5_000): PetstoreClient {
  const client = createPetstoreClient({ baseUrl, apiKey: 'k1', retries: 0, timeout });
  onTestFinished(client.close);
  return client;
}

describe('a page', () => {
  it.each([
    ['<http://user@HOST/v1/pets?b>', 'a link to a next page with a user name or password in it'],
    ['<http://:pw@HOST/v1/pets?b>', 'a link to a next page with a user name or password in it'],
    ['<?cursor=b', 'a Link header that cannot be read, so more pets may follow'],
  ])('whose link is %s is refused, and its next one not read', async (to, reason) => {
    const { url, requests } = await startHttpServer((request, response) => {
      const own = `${to.replace('HOST', String(request.headers.host))}; rel="next"`;
      respondJson(200, page, { link: own, ...ofThisService })(request, response);
    });
    const client = openClient(url);
    const nexts: URL[] = [];
    await expect(client.listPets({}, (next) => nexts.push(next))).rejects.toMatchObject({
      failure: { kind: 'unexpected_response', reason },
    });
    expect(nexts).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  it('of a service that does not link its pages may be the last, whatever Link it has', async () => {
    const { url } = await startHttpServer(respondJson(200, page, { link: '<?cursor=b' }));
    const client = openClient(url);
    expect(await client.listPets({ limit: 2 })).toMatchObject({ next: undefined, more: 'no' });
    expect(await client.listPets({ limit: 1 })).toMatchObject({ more: 'unknown' });
  });

  it('lets the next one be asked for before its own body is there', async () => {
    let finishFirst = () => {};
    const { url } = await startHttpServer((request, response) => {
      if (request.url?.includes('cursor')) {
        respondJson(200, '[]', ofThisService)(request, response);
        finishFirst();
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json', link }).flushHeaders();
      finishFirst = () => response.end(page);
    });
    const client = openClient(url);
    const further: Promise<unknown>[] = [];
    const first = client.listPets({}, (next) => void further.push(client.listNextPage(next)));
    expect(await within(first, 'the first page')).toMatchObject({ more: 'yes' });
    expect(await Promise.all(further)).toMatchObject([{ pets: [], more: 'no' }]);
  });

  it.each([300, 404])('with status %i has no next one', async (status) => {
    const { url } = await startHttpServer(respondJson(status, page, { link }));
    const nexts: URL[] = [];
    const reading = openClient(url).listPets({}, (next) => nexts.push(next));
    await expect(reading).rejects.toMatchObject({ failure: { status } });
    expect(nexts).toEqual([]);
  });
});

it.each([
  [link, () => {}, 1],
  [link, undefined, 0],
  [undefined, () => {}, 0],
])(
  'a page with the link %s waits for the request that may follow it: %s',
  async (to, onNext, waits) => {
    const { url } = await startHttpServer(
      respondJson(200, page, to === undefined ? {} : { link: to }),
    );
    const transport = createTransport({ proxy: undefined });
    onTestFinished(transport.close);
    const { signal } = new AbortController();
    const sender = createRequestSender(transport, {
      ...{ baseUrl: url, apiKey: 'k1', retries: 0, timeout: 5_000, signal, trace: {} },
      recallIdempotency: () => false,
    });
    let waited = 0;
    const readPage = createPageReader(sender, new URL(url), async () => {
      waited += 1;
    });
    await readPage(new URL(`${url}/pets`), onNext);
    expect(waited).toBe(waits);
  },
);

describe('a request that has no response', () => {
  it('was not sent where nobody listens', async () => {
    const { url, server } = await startHttpServer(() => {});
    await new Promise((done) => server.close(done));
    const client = openClient(url);
    for (const request of [
      client.getPet(1n),
      client.createPet({ name: 'Rex', categoryId: 7n }, { idempotencyKey: 'k' }),
    ])
      await expect(request).rejects.toMatchObject({
        ...{ failure: { kind: 'unreachable' }, outcome: 'not_sent' },
      });
  });

  it('is given up after its time, with the time and whether a response had begun', async () => {
    const { url } = await startHttpServer((request, response) => {
      if (request.url?.endsWith('/2')) response.writeHead(200).flushHeaders();
    });
    const client = openClient(url, 100);
    for (const [id, hasBegun] of [
      [1n, false],
      [2n, true],
    ] as const)
      await expect(within(client.getPet(id), 'the end of its time')).rejects.toMatchObject({
        failure: {
          ...{ kind: 'no_response', isTimeout: true, hasBegun },
          reason: 'no complete response within 0.1 s',
        },
        outcome: 'not_applied',
      });
  });
});

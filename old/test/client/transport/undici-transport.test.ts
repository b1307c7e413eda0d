import type { Socket } from 'node:net';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ProxySettings, TransportOptions } from '../../../src/client/transport/transport.ts';
import { createTransport } from '../../../src/client/transport/undici-transport.ts';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { within } from '../../support/within.ts';

/** Sends a request to a URL; of the events it says which heads of a response came. */
function open(options: Partial<TransportOptions> = {}) {
  const transport = createTransport({ proxy: undefined, ...options });
  onTestFinished(transport.close);
  const heads: number[] = [];
  const send = (url: string) =>
    transport.send(
      { method: 'GET', url: new URL(url), headers: {}, body: undefined },
      { onEnd: () => {} },
      { onSend: () => {}, onResponse: ({ status }) => heads.push(status) },
    );
  return { send, heads, close: transport.close };
}

/** A proxy that refuses every connection, and the settings that name it. */
async function startProxy() {
  const asked: (string | undefined)[] = [];
  const { server, url } = await startHttpServer(() => {});
  server.on('connect', ({ url: target }, socket) => {
    asked.push(target);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  const proxy: ProxySettings = { httpProxy: '', httpsProxy: new URL(url).origin, noProxy: '' };
  return { asked, proxy };
}

describe('a request goes', () => {
  it('by the proxy that is set', async () => {
    const { asked, proxy } = await startProxy();
    await expect(open({ proxy }).send('https://pets.test/v1/pets')).rejects.toThrow(
      'Proxy response (403)',
    );
    expect(asked).toEqual(['pets.test:443']);
  });

  it('past one that only the variables name: they were read before', async () => {
    const { asked, proxy } = await startProxy();
    vi.stubEnv('http_proxy', proxy.httpsProxy);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { url, requests } = await startHttpServer(respondJson(200, '[]'));
    expect(await open().send(`${url}/pets?limit=1`)).toMatchObject({ status: 200, body: '[]' });
    expect({ asked, requests }).toEqual({ asked: [], requests: ['GET /v1/pets?limit=1'] });
  });
});

describe('a response', () => {
  it('is read without what only informs', async () => {
    const { url } = await startHttpServer((request, response) => {
      request.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      respondJson(201, '{}')(request, response);
    });
    const { send, heads } = open();
    expect(await send(url)).toMatchObject({ status: 201, body: '{}', isUtf8: true });
    expect(heads).toEqual([201]);
  });

  it('is given up when it is larger than any page', async () => {
    const piece = 'x'.repeat(1024 * 1024);
    const { url } = await startHttpServer((_, response) => {
      for (let count = 0; count < 17; count += 1) response.write(piece);
      response.end();
    });
    await expect(open().send(url)).rejects.toMatchObject({
      code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE',
    });
  });
});

describe('closing', () => {
  it('frees the connections', async () => {
    const { url, server } = await startHttpServer(respondJson(200, '[]'));
    const closed = new Promise((resolve) => {
      server.on('connection', (socket: Socket) => socket.on('close', resolve));
    });
    const { send, close } = open();
    await send(url);
    await close();
    await within(closed, 'the connection ends with its transport');
  });

  it('leaves a dispatcher of somebody else open', async () => {
    const { url } = await startHttpServer(respondJson(200, '[]'));
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    const { send, close } = open({ dispatcher });
    await send(url);
    await close();
    expect(await send(url)).toMatchObject({ status: 200 });
  });

  it('has nothing to free before a request, nor where none could be sent', async () => {
    await open().close();
    const { send, close } = open({ proxy: { httpProxy: '', httpsProxy: 'http://[', noProxy: '' } });
    await expect(send('https://pets.test/v1')).rejects.toThrow('Invalid URL');
    await close();
  });
});

import { describe, expect, it } from 'vitest';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { startRawServer } from '../support/raw-server.ts';
import { rex, run } from '../support/run-at-url.ts';

describe('a service in trouble', () => {
  it('sends 100 Continue before a response, or a byte order mark: both are passed over', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length:';
    const body = Buffer.from(`\ufeff[${rex}]`);
    const url = await startRawServer((socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write(Buffer.concat([Buffer.from(`${head} ${body.length}\r\n\r\n`), body]));
    });
    expect(await run('list --ndjson --retries 0', url)).toMatchObject({
      stdout: `${rex}\n`,
      exitCode: 0,
    });
  });

  it('sends bytes that are not HTTP: never a list', async () => {
    const url = await startRawServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    const { stdout, exitCode } = await run('list --ndjson --retries 0', url);
    expect({ stdout, isFailure: exitCode === 7 || exitCode === 8 }).toEqual({
      stdout: '',
      isFailure: true,
    });
  });

  it('nothing listens: not sent, 8', async () => {
    const run8 = await run('add Rex --category 7 --json --retries 0', 'http://127.0.0.1:9/v1');
    expect(run8.exitCode).toBe(8);
    expect(JSON.parse(run8.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      outcome: 'not_sent',
    });
  });

  it('a host without an address: 8', async () => {
    const { exitCode, stderr } = await run('list --retries 0', 'https://nowhere.invalid/v1');
    expect(exitCode).toBe(8);
    expect(stderr).toContain('host name');
  });

  it('does not respond in time: a list ends with 8, an add with 9', async () => {
    const { url } = await startHttpServer(() => {});
    expect((await run('list --timeout 200ms --retries 0', url)).exitCode).toBe(8);
    const added = await run('add Rex --category 7 --timeout 200ms --retries 0', url);
    expect(added.exitCode).toBe(9);
  });

  it('breaks the connection: a list is asked again', async () => {
    const respond = respondJson(200, `[${rex}]`);
    let broken = 0;
    const { url } = await startHttpServer((request, response) => {
      broken += 1;
      if (broken <= 2) request.socket.resetAndDestroy();
      else respond(request, response);
    });
    expect(await run('list --ndjson', url)).toMatchObject({ stdout: `${rex}\n`, exitCode: 0 });
    expect(broken).toBe(3);
  });

  it('breaks the connection of an add: 9, in words for people', async () => {
    const { url } = await startHttpServer((request) => request.socket.destroy());
    const { exitCode, stderr } = await run('add Rex --category 7 --retries 0', url);
    expect(exitCode).toBe(9);
    expect(stderr).toContain('before a response came (other side closed)\n');
  });

  it('sends a truncated response: nothing is shown', async () => {
    const { url } = await startHttpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('[{"id":1,', () => response.destroy());
    });
    const { stdout, stderr, exitCode } = await run('list --json --retries 0', url);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 7 });
    expect(stderr).toContain('in the middle of the response');
    expect(stderr).not.toContain('fetch()');
  });

  it('sends a redirect: the key does not follow it', async () => {
    const elsewhere = await startHttpServer(respondJson(200, `[${rex}]`));
    const { url } = await startHttpServer(respondJson(302, '', { location: elsewhere.url }));
    const { exitCode, stderr } = await run('list --retries 0', url);
    expect(exitCode).toBe(7);
    expect(stderr).toContain('redirect');
    expect(elsewhere.requests).toEqual([]);
  });

  it('sends a response without an end: cut off, 7', async () => {
    const { url } = await startHttpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = () => {
        while (response.write('x'.repeat(65_536)));
      };
      response.on('drain', write).on('error', () => {});
      write();
    });
    const { exitCode, stderr } = await run('list --retries 0', url);
    expect(exitCode).toBe(7);
    expect(stderr).toContain('larger than');
  });
});

import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call, post } from '../support/http.ts';
import { makeFolder } from '../support/make-folder.ts';
import { makeKey } from '../support/make-key.ts';
import { startServeProcess } from '../support/serve-process.ts';

const certificates = path.join(import.meta.dirname, '../support/certificates');

async function start(args: readonly string[] = []) {
  const database = `sqlite:${await makeFolder()}/petstore.db`;
  const key = makeKey(database);
  const service = await startServeProcess({ database, args });
  onTestFinished(() => void service.stop('SIGKILL'));
  return { ...service, database, key };
}

describe('petstore serve', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s under load: it ends with 0, and what was confirmed is there',
    async (signal) => {
      const service = await start();
      const responses: string[] = [];
      let failure: unknown;
      const clients = Array.from({ length: 16 }, async () => {
        for (;;) {
          try {
            const { status, text } = await post(service, '{"name":"Rex","categoryId":7}');
            if (status !== 201) throw new Error(`${status} ${text}`);
            responses.push(text);
          } catch (error) {
            failure ??= error;
            return;
          }
        }
      });
      await expect.poll(() => responses.length).toBeGreaterThan(50);
      expect(await service.stop(signal)).toBe(0);
      await Promise.all(clients);
      // Nobody got an error response: what got none found the connection closed.
      expect(failure).toMatchObject({
        code: expect.stringMatching(/ECONNREFUSED|UND_ERR_SOCKET|ECONNRESET/),
      });
      const again = await startServeProcess({ database: service.database });
      onTestFinished(() => void again.stop('SIGKILL'));
      const last = responses.at(-1) ?? '';
      const id = /"id":(\d+)/.exec(last)?.[1];
      expect((await call({ ...again, key: service.key }, `/pets/${id}`)).text).toBe(last);
      expect(again.stderr()).not.toContain('No API key exists');
    },
  );

  it('a second signal ends it at once, whatever is still in flight', async () => {
    const service = await start();
    const { port } = new URL(service.url);
    const slow = connect(Number(port), '127.0.0.1');
    slow.on('error', () => {});
    await once(slow, 'connect');
    slow.write('GET /v1/pets HTTP/1.1\r\nHost: a\r\n');
    await call(service, '/pets');
    const ended = once(service.child, 'exit');
    service.child.kill('SIGTERM');
    await expect
      .poll(() =>
        call(service, '/pets').then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    expect(service.child.exitCode).toBeNull();
    service.child.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    slow.destroy();
  });

  it('SIGHUP reads the certificate again and ends nothing', async () => {
    const service = await start([
      '--tls-cert',
      path.join(certificates, 'first.crt.pem'),
      '--tls-key',
      path.join(certificates, 'first.key.pem'),
    ]);
    service.child.kill('SIGHUP');
    await expect.poll(service.stderr).toContain('certificate reloaded');
    expect(service.child.exitCode).toBeNull();
  });

  it('says how to create a key when there is none', async () => {
    const database = `sqlite:${await makeFolder()}/petstore.db`;
    const service = await startServeProcess({ database });
    onTestFinished(() => void service.stop('SIGKILL'));
    await expect
      .poll(service.stderr)
      .toContain(
        `No API key exists yet. Create one: petstore keys create --name <label> --database ${database}`,
      );
  });

  it.each([
    ['--port', '--port'],
    ['--metrics-port', '--port 0 --metrics-port'],
  ])('names the port that is taken and what to do, exit code 2: %s', async (flag, suggested) => {
    const service = await start();
    const { port } = new URL(service.url);
    const second = startServeProcess({ database: 'sqlite::memory:', args: [flag, port] });
    await expect(second).rejects.toThrow(
      new RegExp(
        `Port ${port} is in use by another program\\.\\s+Try: {2}petstore serve ${suggested} ${Number(port) + 1}`,
      ),
    );
  });
});

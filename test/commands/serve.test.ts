import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isApiKey } from '../../src/contract/api-key.ts';
import { writeCertificate } from '../support/certificate.ts';
import { findFreePort } from '../support/postgres-cluster.ts';
import { openRawConnection } from '../support/raw-http.ts';
import { runPetstore, startPetstore } from '../support/run-petstore.ts';
import { runShell } from '../support/run-shell.ts';
import { startServe } from '../support/serve-process.ts';
import { itOnPosix } from '../support/system.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { runInTerminal } from '../support/terminal-session.ts';
import { waitFor } from '../support/wait-for.ts';

async function createDatabaseUrl(): Promise<string> {
  return `sqlite:${await createTemporaryFolder()}/petstore.db`;
}

describe('serve', () => {
  it('writes nothing to stdout, and its log to stderr as JSON lines', async () => {
    const service = await startServe(await createDatabaseUrl());
    await fetch(new URL('/healthz', service.url));
    expect(await service.stop()).toBe(0);
    const { stdout, stderr } = service.process;
    expect(stdout()).toBe('');
    const messages = stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).message);
    expect(messages).toEqual([
      expect.stringMatching(/^listening on http:/),
      'there is no API key yet: petstore keys create --name <label>',
      'request',
      'stopping',
      'stopped',
    ]);
  });

  it('goes on when a client that takes it for a proxy resets its connection', async () => {
    const service = await startServe(await createDatabaseUrl());
    const { socket, send } = openRawConnection(service.url);
    send('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n');
    await once(socket, 'data');
    socket.resetAndDestroy();
    // A process that ended by it would have another exit code.
    expect(await service.stop()).toBe(0);
  });

  it('--seed prints a key alone on stdout, for sample pets, and wants an empty database', async () => {
    const database = await createDatabaseUrl();
    const service = await startServe(database, ['--seed']);
    const key = (await service.process.waitForText('stdout', '\n')).trim();
    expect(isApiKey(key)).toBe(true);
    expect(service.process.stderr()).not.toContain(key);
    const headers = { Authorization: `Bearer ${key}` };
    // The pets follow the key, as each remembers who added it.
    await waitFor(async () =>
      expect(await (await fetch(`${service.url}/pets`, { headers })).json()).toHaveLength(20),
    );
    await service.stop();
    const again = await runPetstore(['serve', '--port', '0', '--seed', '--database', database]);
    expect(again).toMatchObject({ exitCode: 2, stdout: '' });
    expect(again.stderr).toContain('--seed needs an empty one');
  });

  it.each(['>&-', '>/dev/full'])('--seed creates no key that %s swallows', async (end) => {
    const database = await createDatabaseUrl();
    const line = `petstore serve --seed --port 0 --database ${database}`;
    const { stderr, exitCode } = await runShell(`${line} ${end}`);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The key cannot be printed, so none was created.');
    const listed = await runPetstore(['keys', 'list', '-o', 'ids', '--database', database]);
    expect(listed.stdout).toBe('');
  });

  /** Reads nothing, for as long as the service runs. */
  const reader = '>(exec tail --pid=$$ -f /dev/null >/dev/null 2>&1)';
  it.each(['2>/dev/full', `2> ${reader}`, '2>log'])(
    'loses lines of its log, but no response and not its end, with %s',
    async (end) => {
      const port = await findFreePort();
      const words = ['serve', '--port', String(port), '--database', await createDatabaseUrl()];
      // Files of at most 100 KiB: enough for the database.
      const before = ['bash', '-c', `ulimit -f 100; exec "$@" ${end}`, 'bash'];
      const { child, ended } = await startPetstore(words, { before });
      const url = `http://127.0.0.1:${port}/${'x'.repeat(12_000)}`;
      const ask = async () => (await fetch(url)).status;
      await waitFor(async () => expect(await ask()).toBe(404));
      for (let count = 0; count < 20; count += 1) expect(await ask()).toBe(404);
      child.kill('SIGTERM');
      expect((await ended).exitCode).toBe(0);
    },
  );

  it('suggests the same line with another port where one is taken', async () => {
    const { url } = await startServe(await createDatabaseUrl());
    const port = Number(new URL(url).port);
    const database = await createDatabaseUrl();
    const words = ['serve', '--seed', '--port', String(port), '--database', database];
    const suggested = ['serve', '--seed', '--database', database, '--port', String(port + 1)];
    expect(await runPetstore(words)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: `Error: Port ${port} is in use by another program.\nTry:  petstore ${suggested.join(' ')}\n`,
    });
    // Nothing was put into the database, so the line works where that port is free; here another test may have it.
    await startServe(database, ['--seed']);
  });

  it.each([
    "'postgres://petstore:Sesame9@db.test/petstore'",
    'postgres://petstore:Ses#ame9@db.test/petstore',
    'postgres://petstore:Sesame9@127.0.0.1:1/petstore',
  ])('never repeats the password of a database: case %#', async (database) => {
    for (const words of [
      ['serve', '--port', '0'],
      ['serve', '--json', '--port', '0', '--database', database],
    ]) {
      const variables = { PETSTORE_SERVE_DATABASE: database, PETSTORE_DEBUG: '1' };
      const { stdout, stderr, exitCode } = await runPetstore(words, { variables });
      expect(exitCode).toBe(2);
      expect(stdout + stderr).not.toMatch(/Ses.?ame9/);
    }
  });

  it('ends at once at a second signal', async () => {
    const { process } = await startServe(await createDatabaseUrl());
    process.child.kill('SIGTERM');
    await process.waitForText('stderr', 'stopping');
    process.child.kill('SIGTERM');
    expect(await process.ended).toMatchObject({ signal: 'SIGTERM' });
  });

  itOnPosix('reads its TLS files again on SIGHUP', async () => {
    const { cert, key } = writeCertificate(await createTemporaryFolder(), 'server');
    const tls = ['--tls-cert', cert, '--tls-key', key];
    const { process, url } = await startServe(await createDatabaseUrl(), tls);
    expect(url).toMatch(/^https:/);
    process.child.kill('SIGHUP');
    await process.waitForText('stderr', 'TLS files reloaded');
  });

  it('keeps its place in an environment of variables alone', async () => {
    const variables = {
      PETSTORE_SERVE_DATABASE: await createDatabaseUrl(),
      PETSTORE_SERVE_PORT: '0',
      PETSTORE_SERVE_LOG_LEVEL: 'info',
    };
    const process = await startPetstore('serve', { variables });
    await process.waitForText('stderr', 'listening on http://127.0.0.1:');
  });

  it('speaks to people on a terminal, and stops on Ctrl-C', async () => {
    const session = await runInTerminal('petstore serve --seed --port 0');
    await session.waitForText('Press Ctrl-C to stop it.');
    await session.press('C-c');
    const screen = await session.waitForEnd();
    // A line of the log may come between.
    expect(screen).toMatch(/An API key for a day(.|\n)*\npst_\w{49}\n/);
    expect(screen).toMatch(/INFO: listening on http:/);
  });
});

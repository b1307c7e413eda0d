import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { explainTakenPort } from '../../../src/commands/serve/explain-taken-port.ts';
import { ListenError } from '../../../src/service/http/server/listen.ts';
import { findLastingPort } from '../../support/free-port.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { runPetstore } from '../../support/run-program.ts';

const memory = 'sqlite::memory:';

/** A port of 127.0.0.1 that is in use until the test is over, where no other test has its neighbors. */
async function takePort(): Promise<number> {
  const port = await findLastingPort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return port;
}

/** Runs `serve`, which is stopped if it could listen. */
async function serve(args: readonly string[], env: Record<string, string> = {}) {
  const stop = new AbortController();
  const onOutput = (text: string) => text.includes('Listening on') && stop.abort();
  return await runPetstore(['serve', ...args], {
    env: { PETSTORE_SERVE_LOG_LEVEL: 'silent', ...env },
    signal: stop.signal,
    onOutput,
  });
}

function reportTaken(port: number, line: string) {
  return {
    ...{ stdout: '', exitCode: 2 },
    stderr: `Error: Port ${port} is in use by another program.\nTry:  petstore serve ${line}\n`,
  };
}

describe('serve on a port that is taken', () => {
  it.each([
    [['--metrics-port', 'TAKEN', '--port', '0'], '--metrics-port NEXT --port 0'],
    [['--port=TAKEN', '--host', '127.0.0.1'], '--port NEXT --host 127.0.0.1'],
    [['--seed', '--no-docs', '--port', 'TAKEN'], '--no-docs --seed --port NEXT'],
    [['--port', 'TAKEN', '--log-level', 'silent'], '--port NEXT --log-level silent'],
    [['--behind-proxy', '--as-of', '2030-12-06'], '--behind-proxy --as-of 2030-12-06 --port NEXT'],
  ])('suggests the line %j with another port, and nothing else changed', async (args, line) => {
    const port = await takePort();
    const own = args.map((word) => word.replace('TAKEN', String(port)));
    const env = { PETSTORE_SERVE_DATABASE: memory, PETSTORE_SERVE_PORT: String(port) };
    expect(await serve(own, env)).toEqual(
      reportTaken(port, line.replace('NEXT', String(port + 1))),
    );
  });

  it('quotes what the shell would not read as one word', async () => {
    const [port, database] = [await takePort(), `sqlite:${await makeFolder()}/the store.db`];
    const { stderr } = await serve(['--port', String(port), '--database', database]);
    expect(stderr).toContain(`petstore serve --port ${port + 1} --database '${database}'\n`);
  });

  it('does not suggest the other port of this service', async () => {
    const port = await takePort();
    const others = ['--metrics-port', String(port + 1), '--database', memory];
    expect(await serve(['--port', String(port), ...others])).toEqual(
      reportTaken(port, ['--port', port + 2, ...others].join(' ')),
    );
  });

  it.each([
    [
      8080,
      { database: 'postgres://petstore:secret@db/petstore' },
      '--database postgres://petstore:…@db/petstore --port 8081',
    ],
    [65_535, {}, '--port 65534'],
    [65_535, { metricsPort: '65534' }, '--metrics-port 65534 --port 65533'],
    [8080, { host: '-x' }, '--host=-x --port 8081'],
  ])('suggests for port %i and %j: %s', async (port, flags, line) => {
    const cause = new ListenError('port', port, Object.assign(new Error(), { code: 'EADDRINUSE' }));
    const starting = explainTakenPort(() => Promise.reject(cause), {
      ...{ flags: { history: true, ...flags }, dataFolder: '/nonexistent' },
      variables: { PETSTORE_SERVE_BEHIND_PROXY: 'true' },
    });
    await expect(starting).rejects.toMatchObject({ next: [`petstore serve ${line}`] });
  });
});

it('serve refuses one port for both before it opens anything', async () => {
  expect(
    await serve(['--port', '9000', '--metrics-port', '9000', '--database', 'nothing:']),
  ).toEqual({
    ...{ stdout: '', exitCode: 2 },
    stderr:
      'Error: --port and --metrics-port are the same: give each a port of its own\nTry:  petstore serve --help\n',
  });
});

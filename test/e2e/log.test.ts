import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { portOf } from '../support/http-server.ts';
import { petstoreCommand, runPetstore, startPetstore } from '../support/run-petstore.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { openTerminalSession } from '../support/terminal-session.ts';
import { waitFor } from '../support/wait-for.ts';

/** A folder with a database, and the words that serve it on a port that is known without the log. */
async function prepareServe() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  const folder = await createTemporaryFolder();
  const database = ['--database', `sqlite:${folder}/petstore.db`];
  await runPetstore(['db', 'migrate', ...database]);
  return { folder, port, words: ['serve', '--port', String(port), ...database] };
}

/** Waits until a service listens, then has more lines written than the buffer of a pipe holds. */
async function expectResponses(port: number): Promise<void> {
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status;
  await waitFor(async () => expect(await ask()).toBe(200));
  for (let count = 0; count < 600; count += 1) expect(await ask()).toBe(200);
}

describe('a log that cannot be written delays neither responses nor the stop', () => {
  it.each([
    ['on a full disk', 'exec "$@" 2> /dev/full'],
    ['in a file that may not grow', 'ulimit -f 160; exec "$@" 2> log'],
    ['by a reader that reads nothing', 'mkfifo log; exec 3<> log; exec "$@" 2> log'],
    ['by a reader that has gone', 'mkfifo log; exec 3<> log; exec "$@" 2> log 3<&-'],
  ])('%s', async (_where, script) => {
    const { folder, port, words } = await prepareServe();
    const before = ['sh', '-c', script, 'sh'];
    const { child, ended } = await startPetstore(words, { before, cwd: folder });
    await expectResponses(port);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ exitCode: 0 });
  });

  it('on a terminal that was closed', async () => {
    const { folder, port, words } = await prepareServe();
    const session = await openTerminalSession({ home: folder });
    const line = [...petstoreCommand, ...words].join(' ');
    await session.run(`sh -c 'echo $$ > pid; exec ${line}'`);
    await session.waitForText('Press Ctrl-C to stop it.');
    const pid = Number(await readFile(path.join(folder, 'pid'), 'utf8'));
    onTestFinished(() => void isRunning(pid, 'SIGKILL'));
    await session.close();
    await expectResponses(port);
    process.kill(pid, 'SIGTERM');
    await waitFor(() => expect(isRunning(pid)).toBe(false));
  });
});

function isRunning(pid: number, signal: NodeJS.Signals | 0 = 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startKeeper } from '../commands/import/support.ts';
import { builtCommand, serviceCommand } from '../support/built-program.ts';
import { post } from '../support/http.ts';
import { makeFolder } from '../support/make-folder.ts';
import { makeKey } from '../support/make-key.ts';
import { createHome } from '../support/run-program.ts';
import { startServeProcess } from '../support/serve-process.ts';
import { startService } from '../support/service.ts';
import { stagingAt } from '../support/staging.ts';
import {
  canTrace,
  listUnsynced,
  openFileTrace,
  type Step,
  traceRun,
} from '../support/trace-files.ts';

/** What may be lost with a power cut: caches, notices, locks, what SQLite builds anew, the standalone program's addon. */
const notDurable =
  /^(socket|pipe|anon_inode):|\/\.cache\/|\/state\.json|\.lock$|-shm$|\/petstore-addon-|^\/dev\//;

/** At the first write of this text the file has been written, and everything that was is on the disk. */
function expectOnDisk(steps: readonly Step[], said: string, file: RegExp, notYet = notDurable) {
  const at = steps.findIndex(({ kind, text }) => kind === 'write' && text.includes(said));
  expect(at, `${said} is written`).toBeGreaterThan(-1);
  const before = steps.slice(0, at).filter((step) => !notDurable.test(step.file));
  expect(before.map((step) => step.file)).toContainEqual(expect.stringMatching(file));
  expect(listUnsynced(before).filter((one) => !notYet.test(one))).toEqual([]);
  return steps.slice(at);
}

describe.skipIf(!canTrace)('a power cut loses nothing that was reported:', () => {
  it('settings and keys, before the line that says that they are stored', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const env = { HOME: await createHome() };
    const set = [...builtCommand, 'env', 'set', 'shop', '--url', service.url];
    const { steps, exitCode } = await traceRun(set, { env });
    expect(exitCode).toBe(0);
    expectOnDisk(steps, 'Created shop', /\/config\.json$/);
    const login = [
      ...builtCommand,
      'auth',
      'login',
      '-e',
      'shop',
      '--storage',
      'file',
      '--key-stdin',
    ];
    const stored = await traceRun(login, { env, stdin: service.key });
    expectOnDisk(stored.steps, 'Stored the API key', /\/keys\.json$/);
  });

  it('an add, in the history before it is sent', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const env = { HOME: await createHome(), ...stagingAt(service.url, service.key) };
    const add = [...builtCommand, 'add', 'Rex', '--category', '7'];
    const { steps, exitCode } = await traceRun(add, { env });
    expect(exitCode).toBe(0);
    expectOnDisk(steps, 'POST /v1/pets', /\/history\.db-wal$/);
  });

  it('the rows of an import before one is sent, and their outcomes before they are reported', async () => {
    const other = await startKeeper();
    const env = { HOME: await createHome(), ...other.env };
    const file = path.join(await makeFolder(), 'pets.csv');
    await writeFile(file, 'name,categoryId\nRex,1\nrefused Mia,2\n');
    const words = [...builtCommand, 'import', file, '--concurrency', '1'];
    const { steps, exitCode } = await traceRun(words, { env });
    expect(exitCode).toBe(10);
    const sent = expectOnDisk(steps, 'POST /v1/pets', /\.staging$/);
    // That it has ended is not synced in the history: until then it can be resumed.
    expectOnDisk(sent, 'LINE  OUTCOME', /\.staging$/, /\/history\.db-wal$|^pipe:/);
  });

  it('a backup, before the line that says where it is', async () => {
    const folder = await makeFolder();
    const [database, file] = [path.join(folder, 'pets.db'), path.join(folder, 'backup.db')];
    const env = { HOME: await createHome(), PETSTORE_SERVE_DATABASE: `sqlite:${database}` };
    const run = (line: string) => traceRun([...serviceCommand, ...line.split(' ')], { env });
    await run('db migrate');
    const { steps, exitCode } = await run(`db backup ${file}`);
    expect(exitCode).toBe(0);
    expectOnDisk(steps, 'Backed up', /\/backup\.db$/);
  });

  it('a pet, before the service responds', async () => {
    const database = `sqlite:${path.join(await makeFolder(), 'pets.db')}`;
    const key = makeKey(database);
    const trace = await openFileTrace();
    const service = await startServeProcess({ database, within: trace.command });
    const added = await post({ url: service.url, key }, '{"name":"Rex","categoryId":7}');
    await service.stop();
    expect(added.status).toBe(201);
    expectOnDisk(await trace.read(), 'HTTP/1.1 201', /\/pets\.db-wal$/);
  });
});

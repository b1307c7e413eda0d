import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openDesk } from '../support/desk.ts';
import { startHttpServer } from '../support/http-server.ts';
import { runPetstore, startPetstore } from '../support/run-petstore.ts';
import { runShell } from '../support/run-shell.ts';
import { isWindows, skipUnless } from '../support/system.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { openTerminalSession } from '../support/terminal-session.ts';
import { waitFor } from '../support/wait-for.ts';

/** What a store does with the nth add: adds it, adds it and loses the response, never responds, or gives an error status. */
type Reaction = 'add' | 'lose' | 'hang' | number;

interface StoreOptions {
  readonly honorsKeys?: boolean;
  /** Whether nothing but an add has a response. */
  readonly isLostForReads?: boolean;
  /** How many reads are waited for before they have responses, all at once. */
  readonly readsAtOnce?: number;
  /** The value of `Idempotency-Expires`. */
  readonly expires?: string | undefined;
  /** @param count from 1, over all adds that were sent. */
  react?(count: number, name: string): Reaction;
}

/** A store that fails where a test says so, and counts what it has. */
async function openStore(options: StoreOptions) {
  const { honorsKeys = true, isLostForReads = false, expires, react = () => 'add' } = options;
  const added: string[] = [];
  const methods: string[] = [];
  const responses = new Map<string, string>();
  const reads: (() => void)[] = [];
  let count = 0;
  const headers = {
    'Content-Type': 'application/json',
    ...(honorsKeys && { 'Petstore-Idempotency': '7d' }),
  };
  const { url } = await startHttpServer(async (request, response) => {
    methods.push(request.method ?? '');
    if (isLostForReads && request.method !== 'POST') return void response.destroy();
    if (request.method !== 'POST') {
      const waiting = reads.push(() => response.writeHead(200, headers).end('[]'));
      if (waiting >= (options.readsAtOnce ?? 1)) for (const respond of reads.splice(0)) respond();
      return;
    }
    const body = await text(request);
    const name = /"name":"([^"]*)"/.exec(body)?.[1] ?? '';
    const key = String(request.headers['idempotency-key']);
    count += 1;
    const reaction = react(count, name);
    if (reaction === 'hang') return;
    if (typeof reaction === 'number') {
      const error = { code: 'a_code', message: 'name: is bad', status: reaction };
      return void response.writeHead(reaction, headers).end(JSON.stringify(error));
    }
    const earlier = honorsKeys ? responses.get(key) : undefined;
    if (earlier === undefined) added.push(name);
    const pet = earlier ?? `{"id":${added.length},${body.slice(1)}`;
    responses.set(key, pet);
    if (reaction === 'lose') return void response.destroy();
    const replayed = earlier === undefined ? {} : { 'Idempotency-Replayed': 'true' };
    const until = expires === undefined ? {} : { 'Idempotency-Expires': expires };
    response.writeHead(201, { ...headers, ...replayed, ...until }).end(pet);
  });
  /** Forgets the key that it has known for longest. */
  const forgetOne = () => responses.delete(responses.keys().next().value ?? '');
  return { url, added, methods, forgetOne };
}

/** A desk with so many pets, at a store whose nth add sends a signal to the import. */
async function openStopping(pets: number) {
  let stop: (count: number) => void = () => {};
  const store = await openStore({
    react(count) {
      stop(count);
      return 'add';
    },
  });
  const desk = await openDesk(store, pets);
  const runUntil = async (nth: number, signal: NodeJS.Signals, line: string) => {
    // What the store throws would only lose a response.
    skipUnless(signal === 'SIGKILL' || !isWindows, 'signals');
    const { child, ended } = await startPetstore(line, desk);
    stop = (count) => count === nth && child.kill(signal);
    return await ended;
  };
  return { ...desk, store, runUntil };
}

describe('a key that is refused in the middle', () => {
  it('stops the import, which goes on once there is another key', async () => {
    let isRevoked = true;
    const store = await openStore({ react: (count) => (isRevoked && count > 2 ? 401 : 'add') });
    const { names, run } = await openDesk(store, 4);
    const first = await run('import delivery.csv');
    expect(first.exitCode).toBe(10);
    expect(first.stderr).toMatch(/^Error: 2 of 4 pets added to staging\.\n {2}stopped at line 4: /);
    expect(first.stderr).toContain('petstore import delivery.csv --env staging');
    isRevoked = false;
    expect(await run('import delivery.csv')).toMatchObject({ exitCode: 0 });
    expect(store.added).toEqual(names);
  });

  it('is all that is said when nothing was added', async () => {
    const { run } = await openDesk(await openStore({ react: () => 401 }), 4);
    const { stderr, exitCode } = await run('import delivery.csv');
    expect({ exitCode, first: stderr.split('\n')[0] }).toEqual({
      exitCode: 4,
      first: 'Error: The API key for staging was not accepted.',
    });
  });
});

it('counts what was refused before the key was', async () => {
  const store = await openStore({ react: (count) => (count === 1 ? 400 : 401) });
  const { run } = await openDesk(store, 4);
  const { stderr, exitCode } = await run('import delivery.csv');
  expect({ exitCode, lines: stderr.split('\n').slice(0, 3) }).toEqual({
    exitCode: 4,
    lines: [
      'Error: 0 of 4 pets added to staging, 1 refused.',
      '  line 2: name: is bad',
      '  stopped at line 3: The API key for staging was not accepted.',
    ],
  });
});

describe('lost responses', () => {
  it('are asked for again; not even the first is taken for another computer', async () => {
    // The first response for every row, so that many are waited for together.
    const sent = new Set<string>();
    const store = await openStore({
      react(_, name) {
        if (sent.has(name)) return 'add';
        sent.add(name);
        return 'lose';
      },
    });
    const { names, run } = await openDesk(store, 120);
    const { exitCode, stderr } = await run('import delivery.csv');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(store.added.toSorted()).toEqual(names.toSorted());
  });

  it('are unknown where the service honors no keys; the line does not add anything twice', async () => {
    const store = await openStore({
      honorsKeys: false,
      react: (_, name) => (name.endsWith('-2') ? 'lose' : 'add'),
    });
    const { names, run } = await openDesk(store, 4);
    const first = await run('import delivery.csv --csv');
    expect(first).toMatchObject({
      exitCode: 9,
      stderr: expect.stringContaining('3 of 4 pets added to staging, 1 with unknown outcome'),
    });
    expect(first.stdout.split('\n')[2]).toMatch(/^,2,3,unknown,\S+-2,7,/);
    expect(await run('import delivery.csv')).toMatchObject({ exitCode: 3 });
    expect(store.added).toEqual(names);
  });
});

it('sends nothing to a service that cannot say whether it honors keys', async () => {
  const store = await openStore({ isLostForReads: true });
  const { run } = await openDesk(store, 4);
  expect(await run('import delivery.csv')).toMatchObject({ exitCode: 8 });
  expect(store.added).toEqual([]);
});

describe('Ctrl-C', () => {
  const stopAtSilentStore = async (timeout: string) => {
    const { url, methods } = await openStore({ react: () => 'hang' });
    const { type } = await openDesk({ url }, 4);
    const line = `petstore import delivery.csv --timeout ${timeout} --confirm staging`;
    const terminal = await type(line);
    await waitFor(() => expect(methods).toEqual(['GET', 'POST']));
    await terminal.press('C-c');
    await terminal.waitForText('Stopping after the pets that were already sent.');
    return { methods, terminal };
  };

  it('sends nothing more to a service that does not respond, and says what is waited for', async () => {
    const { methods, terminal } = await stopAtSilentStore('1s');
    const text = await terminal.waitForEnd();
    expect(text).toContain('Stopped: 0 of 4 pets added to staging, 1 with unknown outcome.');
    expect(methods).toEqual(['GET', 'POST']);
  });

  it('ends at once when it is pressed again', async () => {
    const { terminal } = await stopAtSilentStore('60s');
    await terminal.waitForText('Ctrl-C again stops at once.');
    await terminal.press('C-c');
    await terminal.waitForEnd();
  });

  it('waits for what is in flight and says how many pets are there', async () => {
    const { store, names, run, runUntil } = await openStopping(600);
    const { stderr, signal } = await runUntil(100, 'SIGINT', 'import delivery.csv');
    expect(signal).toBe('SIGINT');
    expect(stderr).toContain(`Stopped: ${store.added.length} of 600 pets added to staging.`);
    expect(await run('import delivery.csv')).toMatchObject({ exitCode: 0 });
    expect(store.added.toSorted()).toEqual(names.toSorted());
  });
});

it('knows after Ctrl-C and a correction which rows were added', async () => {
  const { store, names, run, runUntil, write } = await openStopping(30);
  await runUntil(3, 'SIGINT', 'import delivery.csv');
  const corrected = names.with(20, 'pet-corrected');
  await write(corrected.map((name) => `${name},7`));
  expect(await run('import delivery.csv')).toMatchObject({ exitCode: 3 });
  expect(await run('import delivery.csv --new')).toMatchObject({ exitCode: 0 });
  expect(store.added).toEqual(corrected);
});

it('is not sent again after a kill once the service has forgotten its keys', async () => {
  const { home, store, run, runUntil } = await openStopping(30);
  await runUntil(3, 'SIGKILL', 'import delivery.csv');
  const count = store.added.length;
  const folder = path.join(home, '.local/state/petstore/imports');
  const [name = ''] = await readdir(folder);
  const record = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
  const forgotten = { ...record, keysUntil: new Date().toISOString() };
  await writeFile(path.join(folder, name), JSON.stringify(forgotten));
  expect(await run('import delivery.csv')).toMatchObject({ exitCode: 3 });
  expect(store.added).toHaveLength(count);
});

describe('--again', () => {
  it('adds all of it once more, also when it was killed and repeated', async () => {
    const { store, names, run, runUntil } = await openStopping(120);
    await run('import delivery.csv');
    await runUntil(160, 'SIGKILL', 'import delivery.csv --again');
    expect(await run('import delivery.csv --again')).toMatchObject({ exitCode: 0 });
    expect(store.added.toSorted()).toEqual([...names, ...names].toSorted());
  });
});

describe('--rejects', () => {
  const pets = ['Rex,7', 'Bad,7', 'Bo,7'];
  const refuseBad = (_: number, name: string) => (name === 'Bad' ? 400 : 'add');
  const written = '\ufeffname,category,status,reason\r\nBad,7,,name: is bad\r\n';

  it('holds all refused rows also when the same line is run again, and none is added twice', async () => {
    const store = await openStore({ react: refuseBad });
    const { home, run } = await openDesk(store, pets);
    await run('import delivery.csv');
    for (const _ of [1, 2]) {
      expect(await run('import delivery.csv --rejects bad.csv')).toMatchObject({ exitCode: 10 });
      expect(await readFile(path.join(home, 'bad.csv'), 'utf8')).toBe(written);
    }
    expect(store.added).toEqual(['Rex', 'Bo']);
  });

  it('moves aside what somebody may have corrected', async () => {
    const { home, run } = await openDesk(await openStore({ react: refuseBad }), pets);
    await run('import delivery.csv --rejects bad.csv');
    const corrected = written.replace('Bad', 'Better');
    await writeFile(path.join(home, 'bad.csv'), corrected);
    expect(await run('import delivery.csv --rejects bad.csv')).toMatchObject({ exitCode: 10 });
    const files = (await readdir(home)).filter((name) => name.startsWith('bad.csv'));
    const texts = await Promise.all(files.map((name) => readFile(path.join(home, name), 'utf8')));
    expect(texts).toEqual([written, corrected]);
  });

  it('is written also where the results cannot be', async () => {
    const { home, variables } = await openDesk(await openStore({ react: refuseBad }), pets);
    const line = 'petstore import delivery.csv --json --rejects bad.csv > /dev/full';
    const { stderr, exitCode } = await runShell(line, variables, home);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('no space is left on the disk');
    expect(await readFile(path.join(home, 'bad.csv'), 'utf8')).toBe(written);
  });

  it('is not there where nothing was refused', async () => {
    const { home, run } = await openDesk(await openStore({}), pets);
    await run('import delivery.csv --rejects bad.csv');
    expect(await readdir(home)).not.toContain('bad.csv');
  });

  it.each(['delivery.csv', 'gone/bad.csv'])(
    'is refused before anything is sent: %s',
    async (file) => {
      const store = await openStore({});
      const { run } = await openDesk(store, pets);
      expect(await run(`import delivery.csv --rejects ${file}`)).toMatchObject({ exitCode: 2 });
      expect(store.methods).toEqual([]);
    },
  );

  it('is refused where it names the file that is imported in another way', async () => {
    const store = await openStore({});
    const { home, run } = await openDesk(store, pets);
    await writeFile(path.join(home, 'bad.csv'), written);
    const { stderr, exitCode } = await run('import bad.csv --rejects ./bad.csv');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--rejects names the file that is imported, bad.csv.');
    expect(store.methods).toEqual([]);
  });

  it('is refused where it names a file of something else', async () => {
    const store = await openStore({});
    const { home, run } = await openDesk(store, pets);
    await writeFile(path.join(home, 'bad.csv'), 'name,category\nMax,7\n');
    expect(await run('import delivery.csv --rejects bad.csv')).toMatchObject({ exitCode: 2 });
    expect(await readFile(path.join(home, 'bad.csv'), 'utf8')).toBe('name,category\nMax,7\n');
  });
});

it.each([
  ['with rows in common', 'A\nC\n', 'A\nX\nC\n', ['A', 'C', 'X']],
  ['that begin alike', 'A\nC\n', 'A\nC\nX\n', ['A', 'C', 'X']],
])(
  'adds each row once when two copies %s are imported at one instant',
  async (_, one, other, all) => {
    const options = { readsAtOnce: 1 };
    const store = await openStore(options);
    const { home, run } = await openDesk(store, 0);
    const copies = ['a', 'b'].map((folder) => path.join(home, folder, 'pets.csv'));
    const write = async (at: number, rows: string) => {
      await mkdir(path.dirname(copies[at] ?? ''), { recursive: true });
      const text = rows.replaceAll('\n', ',7\n');
      await writeFile(copies[at] ?? '', `name,category\n${text}`);
      return ['import', copies[at] ?? '', '--new'];
    };
    await run((await write(0, 'A\n')).slice(0, 2));
    options.readsAtOnce = 2;
    const lines = [await write(0, one), await write(1, other)];
    const runs = await Promise.all(lines.map((line) => run(line)));
    expect(runs.some(({ stderr }) => stderr.includes('in the meantime'))).toBe(true);
    options.readsAtOnce = 1;
    for (const line of lines) expect(await run(line)).toMatchObject({ exitCode: 0 });
    expect(store.added.toSorted()).toEqual(all);
  },
);

describe('another computer, or a record that is lost', () => {
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toUTCString();

  it.each([
    ['the keys are known', hours(2), 0],
    ['the keys are forgotten within the hour', hours(0.5), 3],
    ['the service does not say until when', undefined, 3],
  ])('goes on under the same keys only while %s', async (_, expires, exitCode) => {
    let isStopped = true;
    const react = (count: number) => (isStopped && count > 2 ? 401 : 'add');
    const store = await openStore({ react, expires });
    const { home, names, run, variables } = await openDesk(store, 4);
    await run('import delivery.csv');
    isStopped = false;
    const elsewhere = { variables, home: await createTemporaryFolder() };
    const other = await runPetstore(['import', path.join(home, 'delivery.csv')], elsewhere);
    expect(other.exitCode).toBe(exitCode);
    expect(store.added).toEqual(exitCode === 0 ? names : names.slice(0, 2));
    // What was refused leaves no record of an import.
    const records = await readdir(path.join(elsewhere.home, '.local/state/petstore/imports'));
    expect(records).toHaveLength(exitCode === 0 ? 1 : 0);
  });

  it('says that all were there, and adds none', async () => {
    const store = await openStore({ expires: hours(24) });
    const { home, names, run, variables } = await openDesk(store, 150);
    await run('import delivery.csv');
    const other = await runPetstore(['import', path.join(home, 'delivery.csv')], { variables });
    expect(other).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^All 150 pets .* already; none was added/),
    });
    expect(store.added.toSorted()).toEqual(names.toSorted());
  });

  it('is told which rows to look at, once the first of them is forgotten', async () => {
    const store = await openStore({ expires: hours(24) });
    const { home, run, variables } = await openDesk(store, 3);
    await run('import delivery.csv');
    store.forgetOne();
    const file = path.join(home, 'delivery.csv');
    const { stderr, exitCode } = await runPetstore(['import', file], { variables });
    expect({ exitCode, count: store.added.length }).toEqual({ exitCode: 0, count: 4 });
    expect(stderr).toMatch(/^2 of 3 rows .* look whether they are there twice\.$/m);
  });

  it('asks at a terminal, with no as the default', async () => {
    const store = await openStore({});
    const { home, names, run, variables } = await openDesk(store, 3);
    await run('import delivery.csv');
    const terminal = await openTerminalSession({ variables });
    await terminal.run(`petstore import ${path.join(home, 'delivery.csv')} --confirm staging`);
    await terminal.answer('(y/N)');
    expect(await terminal.waitForEnd()).toContain('exit 3');
    await terminal.clear();
    await terminal.run(`petstore import ${path.join(home, 'delivery.csv')} --confirm staging`);
    await terminal.answer('(y/N)', 'y');
    expect(await terminal.waitForEnd()).toContain('exit 0');
    expect(store.added).toEqual(names);
  });
});

it('goes on when the reader of its results leaves', async () => {
  const store = await openStore({});
  const { names, home, variables } = await openDesk(store, 300);
  const { child, ended } = await startPetstore('import delivery.csv --ndjson', { home, variables });
  child.stdout?.once('data', () => child.stdout?.destroy());
  expect(await ended).toMatchObject({ exitCode: 0 });
  expect(store.added).toHaveLength(names.length);
});

import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startHttpServer } from '../support/http-server.ts';
import { type RunOptions, runPetstore, startPetstore } from '../support/run-petstore.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { openTerminalSession } from '../support/terminal-session.ts';
import { waitFor } from '../support/wait-for.ts';

/** What a store does with the nth add: adds it, adds it and loses the response, never responds, or gives an error status. */
type Reaction = 'add' | 'lose' | 'hang' | number;

interface StoreOptions {
  readonly honorsKeys?: boolean;
  /** Whether nothing but an add has a response. */
  readonly isLostForReads?: boolean;
  /** @param count from 1, over all adds that were sent. */
  react?(count: number, name: string): Reaction;
}

/** A store that fails where a test says so, and counts what it has. */
async function openStore({
  honorsKeys = true,
  isLostForReads = false,
  react = () => 'add',
}: StoreOptions) {
  const added: string[] = [];
  const methods: string[] = [];
  const responses = new Map<string, string>();
  let count = 0;
  const headers = {
    'Content-Type': 'application/json',
    ...(honorsKeys && { 'Petstore-Idempotency': '7d' }),
  };
  const { url } = await startHttpServer(async (request, response) => {
    methods.push(request.method ?? '');
    if (isLostForReads && request.method !== 'POST') return void response.destroy();
    if (request.method !== 'POST') return void response.writeHead(200, headers).end('[]');
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
    response.writeHead(201, { ...headers, ...replayed }).end(pet);
  });
  return { url, added, methods };
}

/** A home with a file of so many pets. */
async function openDesk(store: { readonly url: string }, rows: number) {
  const home = await createTemporaryFolder();
  const file = path.join(home, 'delivery.csv');
  const names = Array.from({ length: rows }, (_, at) => `pet-${at + 1}`);
  await writeFile(file, `name,category\n${names.map((name) => `${name},7\n`).join('')}`);
  const variables = { PETSTORE_STAGING_URL: store.url, PETSTORE_API_KEY: 'a-key' };
  const options: RunOptions = { home, variables };
  return { home, names, options, variables, run: (words: string) => runPetstore(words, options) };
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
      react: (_, name) => (name === 'pet-2' ? 'lose' : 'add'),
    });
    const { names, run } = await openDesk(store, 4);
    const first = await run('import delivery.csv --csv');
    expect(first).toMatchObject({
      exitCode: 9,
      stderr: expect.stringContaining('3 of 4 pets added to staging, 1 with unknown outcome'),
    });
    expect(first.stdout.split('\n')[2]).toMatch(/^,3,unknown,pet-2,7,/);
    expect(await run('import delivery.csv')).toMatchObject({ exitCode: 3 });
    expect(store.added).toEqual(names);
  });
});

describe('what is promised where nobody could tell whether the service honors keys', () => {
  const store: StoreOptions = { isLostForReads: true, react: () => 'hang' };

  it('is no more than that the next run will ask', async () => {
    const { run } = await openDesk(await openStore(store), 4);
    const { stderr, exitCode } = await run('import delivery.csv --timeout 200ms');
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 9,
      stderr: expect.stringContaining('the same line goes on if that is safe'),
    });
  });

  it('is nothing where no record could be written', async () => {
    const { home, variables } = await openDesk(await openStore(store), 4);
    const { stderr } = await runPetstore('import delivery.csv --timeout 200ms', {
      home,
      variables: { ...variables, XDG_STATE_HOME: path.join(home, 'delivery.csv') },
    });
    expect(stderr).toContain('the same line cannot go on safely');
    expect(stderr).not.toContain('Try:  petstore import');
  });
});

describe('Ctrl-C', () => {
  it('sends nothing more to a service that does not respond, and says what is waited for', async () => {
    const store = await openStore({ react: () => 'hang' });
    const { home, variables } = await openDesk(store, 4);
    const terminal = await openTerminalSession({ home, variables });
    await terminal.run('petstore import delivery.csv --timeout 1s --confirm staging');
    await waitFor(() => expect(store.methods).toEqual(['POST']));
    await terminal.press('C-c');
    await terminal.waitForText('Stopping after the pets that were already sent.');
    const text = await terminal.waitForEnd();
    expect(text).toContain('Stopped: 0 of 4 pets added to staging, 1 with unknown outcome.');
    expect(store.methods).toEqual(['POST']);
  });

  it('ends at once when it is pressed again', async () => {
    const store = await openStore({ react: () => 'hang' });
    const { home, variables } = await openDesk(store, 4);
    const terminal = await openTerminalSession({ home, variables });
    await terminal.run('petstore import delivery.csv --timeout 60s --confirm staging');
    await waitFor(() => expect(store.methods).toEqual(['POST']));
    await terminal.press('C-c');
    await terminal.waitForText('Ctrl-C again stops at once.');
    await terminal.press('C-c');
    await terminal.waitForEnd();
  });

  it('waits for what is in flight and says how many pets are there', async () => {
    let interrupt = () => {};
    const store = await openStore({
      react(count) {
        if (count === 100) interrupt();
        return 'add';
      },
    });
    const { names, options, run } = await openDesk(store, 2_000);
    const { child, ended } = await startPetstore('import delivery.csv', options);
    interrupt = () => child.kill('SIGINT');
    const { stderr, signal } = await ended;
    expect(signal).toBe('SIGINT');
    expect(stderr).toContain(`Stopped: ${store.added.length} of 2,000 pets added to staging.`);
    expect(await run('import delivery.csv')).toMatchObject({ exitCode: 0 });
    expect(store.added.toSorted()).toEqual(names.toSorted());
  });
});

describe('--again', () => {
  it('adds all of it once more, also when it was killed and repeated', async () => {
    let kill = () => {};
    const store = await openStore({
      react(count) {
        if (count === 400) kill();
        return 'add';
      },
    });
    const { names, options, run } = await openDesk(store, 300);
    await run('import delivery.csv');
    const { child, ended } = await startPetstore('import delivery.csv --again', options);
    kill = () => child.kill('SIGKILL');
    await ended;
    expect(await run('import delivery.csv --again')).toMatchObject({ exitCode: 0 });
    expect(store.added.toSorted()).toEqual([...names, ...names].toSorted());
  });
});

describe('--rejects', () => {
  const refusePet2 = (_: number, name: string) => (name === 'pet-2' ? 400 : 'add');
  const written = '\ufeffname,category,status,reason\r\npet-2,7,,name: is bad\r\n';

  it('holds all refused rows also when the same line is run again, and none is added twice', async () => {
    const store = await openStore({ react: refusePet2 });
    const { home, run } = await openDesk(store, 3);
    await run('import delivery.csv');
    for (const _ of [1, 2]) {
      expect(await run('import delivery.csv --rejects bad.csv')).toMatchObject({ exitCode: 10 });
      expect(await readFile(path.join(home, 'bad.csv'), 'utf8')).toBe(written);
    }
    expect(store.added).toEqual(['pet-1', 'pet-3']);
  });

  it('is not written over what somebody has corrected', async () => {
    const { home, run } = await openDesk(await openStore({ react: refusePet2 }), 3);
    await run('import delivery.csv --rejects bad.csv');
    const corrected = written.replace('pet-2', 'pet-two');
    await writeFile(path.join(home, 'bad.csv'), corrected);
    const { exitCode, stderr } = await run('import delivery.csv --rejects bad.csv');
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('bad.csv already exists'),
    });
    expect(await readFile(path.join(home, 'bad.csv'), 'utf8')).toBe(corrected);
  });
});

it('keeps what a killed run has written to --rejects, and is finished by the same line', async () => {
  let kill = () => {};
  const store = await openStore({
    react(count, name) {
      if (count === 3) kill();
      return name === 'pet-1' ? 400 : 'add';
    },
  });
  const { home, options, run } = await openDesk(store, 50);
  const { child, ended } = await startPetstore('import delivery.csv --rejects bad.csv', options);
  kill = () => child.kill('SIGKILL');
  await ended;
  expect((await run('import delivery.csv --rejects bad.csv')).exitCode).toBe(10);
  const files = (await readdir(home)).filter((name) => name.startsWith('bad.csv'));
  expect(files).toHaveLength(2);
  for (const file of files)
    expect(await readFile(path.join(home, file), 'utf8')).toContain('pet-1');
});

describe('--rejects is not written over', () => {
  const refuseAll = () => 400;

  it.each([
    ['what another import wrote, after a run without it', ['import delivery.csv']],
    [
      'what was corrected, after a run without it',
      ['import delivery.csv --rejects bad.csv', undefined, 'import delivery.csv'],
    ],
    ['what another import wrote, in the first run', []],
  ])('%s', async (_, lines) => {
    const { home, run } = await openDesk(await openStore({ react: refuseAll }), 3);
    const rejects = path.join(home, 'bad.csv');
    const corrected = 'name,category\nMax,7\n';
    for (const line of [...lines, undefined]) {
      if (line === undefined) await writeFile(rejects, corrected);
      else expect(await run(line)).toMatchObject({ exitCode: 6 });
    }
    expect(await run('import delivery.csv --rejects bad.csv')).toMatchObject({ exitCode: 2 });
    expect(await readFile(rejects, 'utf8')).toBe(corrected);
  });
});

describe('another computer', () => {
  it('adds nothing also where the first row was refused', async () => {
    const store = await openStore({ react: (_, name) => (name === 'pet-1' ? 400 : 'add') });
    const { home, names, run, variables } = await openDesk(store, 150);
    await run('import delivery.csv');
    const file = path.join(home, 'delivery.csv');
    const other = await runPetstore(['import', file], { variables });
    expect(other).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('--again') });
    expect(store.added.toSorted()).toEqual(names.slice(1).toSorted());
  });

  it('adds each pet once more where that is wanted', async () => {
    const store = await openStore({ react: (_, name) => (name === 'pet-1' ? 400 : 'add') });
    const { home, names, run, variables } = await openDesk(store, 3);
    await run('import delivery.csv');
    const terminal = await openTerminalSession({ variables });
    await terminal.run(`petstore import ${path.join(home, 'delivery.csv')} --confirm staging`);
    await terminal.waitForText('Add 3 pets again, as another delivery? (y/N)');
    await terminal.enter('y');
    expect(await terminal.waitForEnd()).toContain('2 of 3 pets added to staging, 1 refused.');
    expect(store.added).toEqual([...names.slice(1), ...names.slice(1)]);
  });
});

it('goes on when the reader of its results leaves', async () => {
  const store = await openStore({});
  const { names, options } = await openDesk(store, 300);
  const { child, ended } = await startPetstore('import delivery.csv --ndjson', options);
  child.stdout?.once('data', () => child.stdout?.destroy());
  expect(await ended).toMatchObject({ exitCode: 0 });
  expect(store.added).toHaveLength(names.length);
});

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { headers } from '../../src/contract/headers.ts';
import { type CommandNode, describeProgram } from '../../src/program/command-tree.ts';
import { openStore } from '../../src/service/storage/databases.ts';
import { openProgress } from '../../src/terminal/progress.ts';
import { createTerminal } from '../../src/terminal/terminal.ts';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { readWritten } from '../support/read-written.ts';
import { stagingAt } from '../support/staging.ts';
import { clock, openMachine } from './json-machine.ts';

/** Every shape that scripts may rely on: its golden file, the line that makes it, and on which stream it comes. */
const shapes: [name: string, line: string, stream: 'stdout' | 'stderr', exitCode?: number][] = [
  ['list.json', 'list --json', 'stdout'],
  ['list.ndjson', 'list --ndjson', 'stdout'],
  ['list-string-ids.json', 'list --json --string-ids', 'stdout'],
  ['list-fields.ndjson', 'list --ndjson --fields id,status', 'stdout'],
  ['list-count.json', 'list --count --json', 'stdout'],
  ['list-incomplete.jsonl', 'list --json --limit 1', 'stderr'],
  ['list-require-complete.jsonl', 'list --json --limit 1 --require-complete', 'stderr', 10],
  ['get.json', 'get 2 --json', 'stdout'],
  ['get-notice.jsonl', 'get 2 --json', 'stderr'],
  ['add.json', 'add Bello --category 1 --json', 'stdout'],
  ['add-notice.jsonl', 'add Bello --category 1 --json', 'stderr'],
  ['add-dry-run.json', 'add Rex --category 7 --dry-run --json', 'stdout'],
  ['add-dry-run-notice.jsonl', 'add Rex --category 7 --dry-run --json', 'stderr'],
  ['trace.jsonl', 'list --json -v', 'stderr'],
  ['error-usage.jsonl', 'list --json --stauts sold', 'stderr', 2],
  ['error-service.jsonl', 'get 99 --json', 'stderr', 5],
  ['error-refused.jsonl', 'add Rex --category 7 --json -e production', 'stderr', 3],
  ['import-results.json', 'import DIR/delivery.csv --concurrency 1 --json', 'stdout'],
  ['import-progress.jsonl', 'import DIR/delivery.csv --concurrency 1 --json', 'stderr'],
  ['import-dry-run.jsonl', 'import DIR/delivery.csv --dry-run --json', 'stderr'],
  ['import-problems.jsonl', 'import DIR/broken.csv --json', 'stderr', 2],
  ['auth-status.json', 'auth status --json', 'stdout'],
  ['auth-token.json', 'auth token --json', 'stdout'],
  ['env-list.json', 'env list --json', 'stdout'],
  ['env-show.json', 'env show --json', 'stdout'],
  ['env-show-explain.json', 'env show --explain --json', 'stdout'],
  ['keys-create.json', 'keys create --new --name till-3 --expires 90d --json', 'stdout'],
  ['db-migrate.jsonl', 'db migrate --database sqlite:DIR/new.db --json', 'stderr'],
  ['doctor.json', 'doctor --offline --json', 'stdout'],
  ['help-command.json', 'help get --json', 'stdout'],
];

const golden = path.resolve(import.meta.dirname, '../golden/json');
const readDocs = () => readFile(path.resolve(import.meta.dirname, '../../docs/json.md'), 'utf8');

describe('every JSON shape is what its golden file says', () => {
  it.each(shapes)('%s: petstore %s', async (name, line, stream, exitCode = 0) => {
    const machine = await openMachine();
    const run = await machine.run(line, { PETSTORE_PRODUCTION_URL: 'https://pets.example.com/v1' });
    expect(run.exitCode).toBe(exitCode);
    await expect(run[stream]).toMatchFileSnapshot(path.join(golden, name));
  });

  it('keys-list.json: petstore keys list', async () => {
    const machine = await openMachine();
    await machine.run('keys create --new --name till-3');
    await expect((await machine.run('keys list --json')).stdout).toMatchFileSnapshot(
      path.join(golden, 'keys-list.json'),
    );
  });

  it('keys-rotate.json: petstore keys rotate', async () => {
    const machine = await openMachine();
    await machine.run('keys create --new --name till-3 --access read');
    await expect((await machine.run('keys rotate 1 --grace 7d --json')).stdout).toMatchFileSnapshot(
      path.join(golden, 'keys-rotate.json'),
    );
  });

  it('db-audit.json: petstore db audit', async () => {
    const machine = await openMachine();
    await machine.run('keys create --new --name till-3');
    const store = await openStore(machine.database, { isShared: true });
    onTestFinished(() => store.close());
    const pet = { name: 'Rex', categoryId: 7n, status: 'available' as const };
    await store.addPets([{ pet, keyId: 1n }], clock);
    const early = { name: 'Luna', categoryId: 3n, status: 'sold' as const };
    await store.addPets([{ pet: early }], clock);
    await expect((await machine.run('db audit --json')).stdout).toMatchFileSnapshot(
      path.join(golden, 'db-audit.json'),
    );
  });

  it('progress.jsonl: what takes long', async () => {
    let now = clock.getTime();
    const stderr = new PassThrough();
    const terminal = createTerminal({
      ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr, secrets: [] },
      ...{ format: 'json', color: 'never', columns: 80, isQuiet: false },
      ...{ verbosity: 0, isUnattended: true, isAccessible: false },
    });
    const progress = openProgress(terminal, () => new Date(now));
    const state = { label: 'Adding', total: 1000 };
    progress.update({ ...state, done: 0 });
    now += 5_000;
    progress.update({ ...state, done: 400, failed: 1 });
    await expect(readWritten(stderr)).toMatchFileSnapshot(path.join(golden, 'progress.jsonl'));
  });

  it('db-copy.jsonl: petstore db copy', async () => {
    const machine = await openMachine();
    await machine.run('keys create --new --name till-3');
    const run = await machine.run(
      'db copy --from sqlite:DIR/pets.db --to sqlite:DIR/copy.db --json',
    );
    await expect(run.stderr).toMatchFileSnapshot(path.join(golden, 'db-copy.jsonl'));
  });

  it.each([
    ['db-backup.jsonl', 'db backup DIR/copy.db --json'],
    ['db-check.jsonl', 'db check --json'],
  ])('%s: petstore %s', async (name, line) => {
    const machine = await openMachine();
    await machine.run('keys create --new --name till-3');
    const run = await machine.run(line);
    await expect(run.stderr).toMatchFileSnapshot(path.join(golden, name));
  });

  it('auth-login.jsonl: petstore auth login', async () => {
    const machine = await openMachine();
    const run = await machine.run('auth login --key-stdin --json', {
      PETSTORE_STAGING_API_KEY: '',
    });
    await expect(run.stderr).toMatchFileSnapshot(path.join(golden, 'auth-login.jsonl'));
  });

  it('import-others.ndjson: rows that were not added', async () => {
    const machine = await openMachine();
    const { url } = await startHttpServer(async (request, response) => {
      if (request.method !== 'POST') return void respondJson(200, '[]')(request, response);
      const { name } = JSON.parse(await text(request));
      if (name === 'Bello') return void request.socket.destroy();
      const body = '{"code":"category_full","message":"no more of these","status":400}';
      respondJson(400, body)(request, response);
    });
    const line = 'import DIR/delivery.csv --concurrency 1 --ndjson --retries 0';
    const run = await machine.run(line, stagingAt(url));
    await expect(run.stdout).toMatchFileSnapshot(path.join(golden, 'import-others.ndjson'));
  });

  it('history-list.json: petstore history --json', async () => {
    const machine = await openMachine();
    await machine.run('add Bello --category 1');
    await machine.run('import DIR/delivery.csv');
    await machine.run('add Rex --category 7 --retries 0', stagingAt('http://127.0.0.1:1/v1'));
    const run = await machine.run('history --json');
    await expect(run.stdout).toMatchFileSnapshot(path.join(golden, 'history-list.json'));
  });

  it.each([
    ['history-settle.json', 'stdout'],
    ['history-settle.jsonl', 'stderr'],
  ] as const)('%s: petstore history settle --json', async (name, stream) => {
    const machine = await openMachine();
    const honored = { [headers.petstoreIdempotency]: '7d' };
    const state = { isLost: true };
    const { url } = await startHttpServer((request, response) => {
      const pet = '{"id":101,"name":"Bello","categoryId":1,"status":"available"}';
      if (request.method !== 'POST') respondJson(200, '[]', honored)(request, response);
      else if (state.isLost || request.headers['idempotency-key'] === 'k2')
        request.socket.destroy();
      else respondJson(201, pet, { ...honored, 'Idempotency-Replayed': 'true' })(request, response);
    });
    const at = stagingAt(url);
    await machine.run('add Bello --category 1 --idempotency-key k1 --retries 0', at);
    await machine.run('add Nemo --category 2 --idempotency-key k2 --retries 0', at);
    state.isLost = false;
    const run = await machine.run('history settle --json --retries 0', at);
    expect(run.exitCode).toBe(9);
    await expect(run[stream]).toMatchFileSnapshot(path.join(golden, name));
  });

  it('error-unknown-outcome.jsonl: an add that was lost', async () => {
    const machine = await openMachine();
    const server = await startHttpServer((request) => request.socket.destroy());
    const run = await machine.run('add Rex --category 7 --json --retries 0', stagingAt(server.url));
    await expect(run.stderr).toMatchFileSnapshot(path.join(golden, 'error-unknown-outcome.jsonl'));
  });
});

/** What has a test of its own below, and what says only a notice. */
const others = [
  'keys list',
  'keys rotate',
  'db audit',
  'db copy',
  'db backup',
  'db check',
  'auth login',
  'history list',
  'history settle',
];
const noticesOnly = ['serve', 'auth logout', 'env set', 'env use', 'env remove', 'keys revoke'];

it('every verb whose output has a format has a golden file', async () => {
  const { commands: all } = await describeProgram(commands);
  const list = (node: CommandNode, path: string): string[] => [
    ...(node.help?.globalOptions?.includes('output') ? [path] : []),
    ...node.commands.flatMap((verb) => list(verb, `${path} ${verb.name}`)),
  ];
  const verbs = all.flatMap((node) => list(node, node.name));
  expect(verbs).toEqual(expect.arrayContaining(['list', 'env show']));
  const known = [...shapes.map(([, line]) => line), ...others, ...noticesOnly];
  expect(verbs.filter((verb) => !known.some((line) => `${line} `.startsWith(`${verb} `)))).toEqual(
    [],
  );
});

describe('docs/json.md', () => {
  it('quotes every golden file, and nothing else', async () => {
    const docs = await readDocs();
    const files = await readdir(golden);
    expect(files.length).toBeGreaterThan(shapes.length);
    const read = async (file: string) => (await readFile(path.join(golden, file), 'utf8')).trim();
    const blocks = [...docs.matchAll(/^```json\n(.*?)\n```$/gms)].map(([, block]) => block);
    expect(blocks.sort()).toEqual((await Promise.all(files.map(read))).sort());
  });
});

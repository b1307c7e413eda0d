import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import { setImmediate as soon } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { createHome, type RunOptions, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';

const threePets = 'name,categoryId,status\nRex,4,sold\nMia,5,\nTom,9007199254740993,pending\n';

/** Two environments with a service of their own, and a folder with a file to import. */
async function setUp(content = threePets, name = 'pets.csv') {
  const staging = await startService();
  const production = await startService();
  onTestFinished(async () => {
    await Promise.all([staging.close(), production.close()]);
  });
  const file = path.join(await makeFolder(), name);
  await writeFile(file, content);
  const env = {
    HOME: await createHome(),
    PETSTORE_STAGING_URL: staging.url,
    PETSTORE_STAGING_API_KEY: staging.key,
    PETSTORE_PRODUCTION_URL: production.url,
    PETSTORE_PRODUCTION_API_KEY: production.key,
  };
  const run = (line: string, options: RunOptions = {}) =>
    runPetstore(
      line.split(' ').map((word) => (word === 'FILE' ? file : word)),
      { ...options, env: { ...env, ...options.env } },
    );
  const list = async (environment = 'staging') => {
    const { stdout } = await run(`list --all --ndjson --env ${environment}`);
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => line.replace(/^\{"id":\d+,/, '{')).sort();
  };
  return { staging, production, file, env, run, list };
}

const threeListed = [
  '{"name":"Mia","categoryId":5,"status":"available"}',
  '{"name":"Rex","categoryId":4,"status":"sold"}',
  '{"name":"Tom","categoryId":9007199254740993,"status":"pending"}',
];

/** Another implementation of the contract, in place of staging. */
async function startOther(listener: RequestListener): Promise<Record<string, string>> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    PETSTORE_STAGING_URL: `http://127.0.0.1:${port}/v1`,
    PETSTORE_STAGING_API_KEY: 'any-key-at-all',
  };
}

describe('import', () => {
  it('adds every row of a file, and says so', async () => {
    const { run, list, staging } = await setUp();
    expect(await run('import FILE')).toEqual({
      stdout: '',
      stderr: `About to add 3 pets to staging (${staging.url})\nAdded 3 pets to staging.\n`,
      exitCode: 0,
    });
    expect(await list()).toEqual(threeListed);
  });

  it('tells each row with a machine format, and the whole on stderr', async () => {
    const { run, staging } = await setUp();
    const { stdout, stderr } = await run('import FILE --ndjson --concurrency 1');
    expect(stdout).toBe(
      [
        '{"line":2,"outcome":"added","pet":{"id":1,"name":"Rex","categoryId":4,"status":"sold"}}',
        '{"line":3,"outcome":"added","pet":{"id":2,"name":"Mia","categoryId":5,"status":"available"}}',
        '{"line":4,"outcome":"added","pet":{"id":3,"name":"Tom","categoryId":9007199254740993,"status":"pending"}}',
        '',
      ].join('\n'),
    );
    const lines = stderr.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        type: 'notice',
        message: `About to add 3 pets to staging (${staging.url})`,
        environment: 'staging',
        url: staging.url,
        rows: 3,
      },
      {
        type: 'summary',
        message: 'Added 3 pets to staging.',
        environment: 'staging',
        url: staging.url,
        rows: 3,
        added: 3,
        rejected: 0,
        unknown: 0,
        addedNow: 3,
        seconds: expect.any(Number),
        isComplete: true,
      },
    ]);
  });

  it.each([
    [
      '--csv',
      'line,outcome,id,name,categoryId,status,reason\n2,added,1,Rex,4,sold,\n3,added,2,Mia,5,available,\n4,added,3,Tom,9007199254740993,pending,\n',
    ],
    ['--quiet', '1\n2\n3\n'],
    [
      '--json --string-ids',
      '[\n  {"line":2,"outcome":"added","pet":{"id":"1","name":"Rex","categoryId":"4","status":"sold"}},\n' +
        '  {"line":3,"outcome":"added","pet":{"id":"2","name":"Mia","categoryId":"5","status":"available"}},\n' +
        '  {"line":4,"outcome":"added","pet":{"id":"3","name":"Tom","categoryId":"9007199254740993","status":"pending"}}\n]\n',
    ],
  ])('writes results with %s', async (format, stdout) => {
    const { run } = await setUp();
    expect(await run(`import FILE --concurrency 1 ${format}`)).toMatchObject({
      stdout,
      exitCode: 0,
    });
  });

  it('--dry-run checks and sends nothing', async () => {
    const { run, list, staging } = await setUp();
    expect(await run('import FILE --dry-run')).toEqual({
      stdout: '',
      stderr: `Dry run: 3 pets could be added to staging (${staging.url}); nothing was sent.\n`,
      exitCode: 0,
    });
    expect(await list()).toEqual([]);
  });

  it.each([
    ['FILE.nope', 2, 'cannot be read'],
    ['FILE --format xml', 2, 'Allowed: csv, json, ndjson'],
    ['FILE --concurrency 0', 2, 'Write a whole number from 1 to 256'],
    ['FILE --resume --fresh', 2, "cannot be used with option '--fresh'"],
  ])('refuses %s', async (words, exitCode, reason) => {
    const { run } = await setUp();
    const result = await run(`import ${words}`);
    expect(result).toMatchObject({ stdout: '', exitCode });
    expect(result.stderr).toContain(reason);
  });

  it('a file without rows is refused', async () => {
    const { run, file } = await setUp('name,categoryId\n');
    expect(await run('import FILE')).toEqual({
      stdout: '',
      stderr: `Error: ${file} holds no rows; nothing was sent\n`,
      exitCode: 2,
    });
  });
});

describe('a file with mistakes', () => {
  const plans: readonly (readonly [string, string])[] = [
    [',7,sold', 'column 1 (name): is required'],
    ['Rex,,sold', 'column 2 (categoryId): is required'],
    ['Rex,seven,sold', 'column 2 (categoryId): must be an int64 integer'],
    ['Rex,9223372036854775808,sold', 'column 2 (categoryId): must be an int64 integer'],
    ['Rex,7,gone', 'column 3 (status): must be one of available, pending, sold'],
    ['Rex,7', 'column 2: has 2 columns, the first line 3'],
    [
      'Re"x,7,sold',
      'column 1: holds a quote that is not doubled, or not closed; put the text in quotes and double those inside',
    ],
    [`${'x'.repeat(256)},7,sold`, 'column 1 (name): must be at most 255 characters'],
  ];
  const planted = Array.from({ length: 40 }, (_, index) => plans[index % plans.length] ?? ['', '']);
  const content = `name,categoryId,status\n${planted.map(([row]) => `Good,1,sold\n${row}\n`).join('')}`;
  const expected = planted.map(([, reason], index) => `line ${2 * index + 3}, ${reason}`);

  it('has all 40 reported at once with line, column and reason, and nothing is sent', async () => {
    const { run, list, file } = await setUp(content);
    expect(await run('import FILE')).toEqual({
      stdout: '',
      stderr: `Error: ${file} has 40 mistakes; nothing was sent\n${expected.map((line) => `  ${line}\n`).join('')}`,
      exitCode: 2,
    });
    expect(await list()).toEqual([]);
  });

  it('tells scripts a line for each', async () => {
    const { run } = await setUp(content);
    const { stderr, exitCode } = await run('import FILE --json');
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(exitCode).toBe(2);
    expect(lines).toHaveLength(41);
    expect(lines[0]).toEqual({
      type: 'problem',
      message: 'line 3, column 1 (name): is required',
      line: 3,
      column: 1,
      field: 'name',
      reason: 'is required',
    });
    expect(lines[40]).toMatchObject({
      type: 'error',
      code: 'cli_invalid_input',
      outcome: 'not_sent',
    });
  });
});

describe('an import over again', () => {
  it('is refused once it was completed, and --resume finds nothing to do', async () => {
    const { run, list, file, staging } = await setUp();
    await run('import FILE');
    expect(await run('import FILE')).toEqual({
      stdout: '',
      stderr:
        `Error: ${file} was imported before: 3 of 3 pets were added\n` +
        `  into staging · ${staging.url}\n` +
        '  to add its pets again, all of them: --fresh\n' +
        `Try:  petstore import ${file} --fresh --env staging\n`,
      exitCode: 3,
    });
    expect(await run('import FILE --resume')).toEqual({
      stdout: '',
      stderr: 'Nothing is left to do: all 3 pets were added.\n',
      exitCode: 0,
    });
    expect(await list()).toHaveLength(3);
    expect((await run('import FILE --fresh')).exitCode).toBe(0);
    expect(await list()).toHaveLength(6);
  });

  it('at the same time is refused: only one of two adds its pets', async () => {
    const { run, list } = await setUp();
    const runs = await Promise.all([run('import FILE'), run('import FILE')]);
    expect(runs.map(({ exitCode }) => exitCode).sort()).toEqual([0, 3]);
    expect(await list()).toHaveLength(3);
  });

  it('is another one in another environment, and after a change of the content', async () => {
    const { run, list, file } = await setUp();
    await run('import FILE');
    expect((await run('import FILE -e production --confirm production')).exitCode).toBe(0);
    await writeFile(file, `${threePets}Zoe,1,sold\n`);
    expect((await run('import FILE')).exitCode).toBe(0);
    expect(await list()).toHaveLength(7);
    expect(await list('production')).toHaveLength(3);
  });
});

describe('an import that is stopped', () => {
  const rows = 500;
  const many = `name,categoryId\n${Array.from({ length: rows }, (_, row) => `Pet ${row},1\n`).join('')}`;

  /** Interrupts once the service holds some pets. */
  async function interrupt(line: string, { run, staging }: Awaited<ReturnType<typeof setUp>>) {
    const interruption = new AbortController();
    const isBegun = async () => {
      while ((await staging.store.findPet(1n)) === undefined) await soon();
      interruption.abort({ signal: 'SIGINT' });
    };
    const [result] = await Promise.all([run(line, { signal: interruption.signal }), isBegun()]);
    return result;
  }

  it('finishes what is under way, says how to go on, and goes on', async () => {
    const desk = await setUp(many);
    const stopped = await interrupt('import FILE --concurrency 2', desk);
    const kept = (await desk.list()).length;
    expect(kept).toBeLessThan(rows);
    expect(stopped).toEqual({
      stdout: '',
      stderr:
        `About to add ${rows} pets to staging (${desk.staging.url})\n` +
        'Finishing the rows under way; once more to stop at once.\n' +
        `Error: Interrupted: ${kept} of ${rows} pets added to staging\n` +
        '  going on adds no pet twice\n' +
        `Try:  petstore import ${desk.file} --resume --env staging\n`,
      exitCode: 130,
    });
    expect(await desk.run('import FILE')).toMatchObject({ exitCode: 3 });
    expect(await desk.run('import FILE --resume')).toMatchObject({ exitCode: 0 });
    const names = await desk.list();
    expect(new Set(names).size).toBe(rows);
    expect(names).toHaveLength(rows);
  });

  it('on a terminal, asks whether to go on', async () => {
    const desk = await setUp(many);
    await interrupt('import FILE --concurrency 2', desk);
    const prompt = createFakePrompt(true, true);
    expect(await desk.run('import FILE', { tty: true, prompt })).toMatchObject({ exitCode: 0 });
    expect(prompt.asked[0]).toMatch(/was begun and not finished: \d+ of 500 pets are added. Go on/);
    expect(await desk.list()).toHaveLength(rows);
  });

  it.each([
    ['7d', '0 of 3 pets added to staging'],
    ['', '0 of 3 pets added to staging, 1 of unknown outcome'],
  ])(
    'with an answer that never comes, keys kept for "%s", says how to go on all the same',
    async (kept, far) => {
      const desk = await setUp();
      const interruption = new AbortController();
      const url = await startOther((request, response) => {
        request.resume();
        if (kept !== '') response.setHeader('petstore-idempotency', kept);
        if (request.method === 'POST') interruption.abort({ signal: 'SIGINT' });
        else response.setHeader('content-type', 'application/json').end('[]');
      });
      const line = 'import FILE --concurrency 1 --timeout 100ms --retries 0 --json';
      const { stderr, exitCode } = await desk.run(line, { signal: interruption.signal, env: url });
      expect(exitCode).toBe(130);
      expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
        message: `Interrupted: ${far}`,
        outcome: 'unknown',
        next: [`petstore import ${desk.file} --resume --env staging`],
      });
    },
  );

  it('keeps stdin in a private file, and goes on from it', async () => {
    const desk = await setUp();
    const interruption = new AbortController();
    const url = await startOther((request, response) => {
      request.resume();
      if (request.method === 'POST') interruption.abort({ signal: 'SIGTERM' });
      response
        .setHeader('petstore-idempotency', '7d')
        .setHeader('content-type', 'application/json');
      response.writeHead(request.method === 'POST' ? 201 : 200);
      response.end(request.method === 'POST' ? '{"id":1,"name":"Rex","categoryId":1}' : '[]');
    });
    const stopped = await desk.run('import - --format csv --concurrency 1', {
      stdin: threePets,
      signal: interruption.signal,
      env: url,
    });
    expect(stopped.exitCode).toBe(143);
    const folder = path.join(desk.env.HOME, '.local/state/petstore/spool');
    const [name = ''] = await readdir(folder);
    expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
    expect(await readFile(path.join(folder, name), 'utf8')).toBe(threePets);
    const next = `import ${path.join(folder, name)} --format csv --resume --env staging`;
    expect(stopped.stderr).toContain(`Try:  petstore ${next}\n`);
    expect(await desk.run(next, { env: url })).toMatchObject({ exitCode: 0 });
  });
});

describe('a service that is too busy', () => {
  it('is sent fewer rows at once until it has answered all of them', async () => {
    const names = new Set<string>();
    let underWay = 0;
    let refusals = 0;
    const env = await startOther((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        underWay += 1;
        await soon();
        const isBusy = request.method === 'POST' && underWay > 6;
        if (isBusy) refusals += 1;
        underWay -= 1;
        const body = Buffer.concat(chunks).toString() || '[]';
        if (!isBusy && body !== '[]') names.add(body);
        response.setHeader('petstore-idempotency', '7d');
        response.writeHead(isBusy ? 503 : request.method === 'POST' ? 201 : 200, {
          'content-type': 'application/json',
        });
        const error = '{"code":"unavailable","message":"too busy","status":503}';
        response.end(isBusy ? error : body.replace('{', '{"id":1,'));
      });
    });
    const rows = Array.from({ length: 600 }, (_, row) => `Pet ${row},1\n`).join('');
    const { run } = await setUp(`name,categoryId\n${rows}`);
    expect(await run('import FILE --concurrency 64', { env })).toMatchObject({ exitCode: 0 });
    expect(names.size).toBe(600);
    // Without slowing down it is told so some ninety times.
    expect(refusals).toBeLessThan(40);
  });
});

describe('what has to be said first', () => {
  it('on a terminal it asks before it adds, also where nothing is protected', async () => {
    const { run, list, staging } = await setUp();
    const no = createFakePrompt(false);
    expect(await run('import FILE', { tty: true, prompt: no })).toMatchObject({ exitCode: 3 });
    expect(no.asked).toEqual(['Add 3 pets to staging?']);
    expect(await list()).toEqual([]);
    const shown = await run('import FILE', { tty: true, prompt: createFakePrompt(true) });
    expect(shown.stderr).toContain(
      `staging · ${staging.url}\nAbout to add 3 pets to staging (${staging.url})\n`,
    );
    expect(await list()).toHaveLength(3);
  });

  it('a protected environment is confirmed by typing its name', async () => {
    const { run, list, production } = await setUp();
    const question = `Add 3 pets to production (${production.url})? Type production to go on:`;
    for (const [answer, added] of [
      ['yes', 0],
      ['production', 3],
    ] as const) {
      const prompt = createFakePrompt(answer);
      await run('import FILE -e production', { tty: true, prompt });
      expect(prompt.asked).toEqual([question]);
      expect(await list('production')).toHaveLength(added);
    }
  });

  it('off a terminal a protected environment needs --confirm', async () => {
    const { run, list, file } = await setUp();
    const refused = await run('import FILE -e production');
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toContain(
      `Try:  petstore import --env production --confirm production ${file}\n`,
    );
    expect(await list('production')).toEqual([]);
  });

  it('never reads a terminal as if it were a file', async () => {
    const { run } = await setUp();
    expect(await run('import -', { tty: true })).toMatchObject({ exitCode: 3, stdout: '' });
  });
});

describe('from one environment to another', () => {
  it.each(['--csv', '--csv --excel', '--json', '--ndjson'])(
    'list --all %s is read back, equal but for the ids',
    async (format) => {
      const names = ['Rex', '=1+1', "'=1+1", ' "quoted", and more ', 'Zoë 🐈', '-5', "'Tis"];
      const pets = names.map((name) => JSON.stringify({ name, categoryId: 1 })).join('\n');
      const { run, list } = await setUp(pets, 'pets.ndjson');
      await run('import FILE');
      const { stdout } = await run(`list --all ${format}`);
      const copied = await run('import - -e production --confirm production', { stdin: stdout });
      expect(copied.stderr).toContain('The ids in the file are ignored');
      expect(copied.exitCode).toBe(0);
      expect(await list('production')).toEqual(await list('staging'));
      expect(await list('production')).toHaveLength(names.length);
    },
  );

  it.each([
    ['--csv', 'two\rlines', 'two\rlines'],
    ['--csv', '\rat its ends\r', '\rat its ends\r'],
    ['--csv', 'two\r\nlines', 'two\r\nlines'],
    ['--csv --excel', 'two\rlines', 'two\rlines'],
    ['--csv --excel', '\r=1+1', "'\r=1+1"],
  ])(
    'list %s keeps %j, a name of another service, in one cell; it is refused as the name it is',
    async (format, name, cell) => {
      const { run } = await setUp();
      const pets = [name, 'Rex'].map((one, id) => ({ id, name: one, categoryId: 7 }));
      const env = await startOther((_, response) => {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(pets));
      });
      const { stdout } = await run(`list --all ${format}`, { env });
      const anyLineEnd = { bom: true, relax_quotes: true, record_delimiter: ['\r\n', '\n', '\r'] };
      const cells = parse(stdout, anyLineEnd).map(([, second]) => second);
      expect(cells).toEqual(['name', cell, 'Rex']);
      // Our service takes no control character in a name, so nothing is sent; a name cut in two would be two mistakes.
      const copied = await run('import - --format csv --json', { stdin: stdout });
      expect(copied).toMatchObject({ stdout: '', exitCode: 2 });
      const lines = copied.stderr.trim().split('\n');
      const problems = lines
        .map((line) => JSON.parse(line))
        .filter((one) => one.type === 'problem');
      expect(problems).toMatchObject([
        { line: 2, column: 2, field: 'name', reason: 'must not contain control characters' },
      ]);
    },
  );

  it.each([
    ['it is done', 'import -', threePets],
    ['it was checked', 'import - --dry-run', threePets],
    ['it was found bad', 'import -', 'name,categoryId\nRex,x\n'],
  ])('leaves nothing of stdin behind once %s', async (_, line, stdin) => {
    const { run, env } = await setUp();
    const { stderr } = await run(`${line} --format csv`, { stdin });
    expect(stderr).not.toContain('.spool');
    expect(await readdir(path.join(env.HOME, '.local/state/petstore/spool'))).toEqual([]);
  });

  it('leaves what an earlier import of the same stdin has to be resumed from', async () => {
    const { run, env } = await setUp();
    const production = 'import - --format csv -e production';
    const refused = await run(production, { stdin: threePets });
    await run('import - --format csv --dry-run', { stdin: threePets });
    const [, line = ''] = /^Try: {2}petstore (.*)$/m.exec(refused.stderr) ?? [];
    expect(await run(line, { env })).toMatchObject({ exitCode: 0 });
  });
});

describe('rows that are not added', () => {
  /** Refuses Mia; every other pet is added. */
  const strict: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString() || '[]';
      const isRefused = body.includes('Mia');
      const error = '{"code":"category_full","message":"no more of these","status":400}';
      const status = isRefused ? 400 : request.method === 'POST' ? 201 : 200;
      response.writeHead(status, {
        'content-type': 'application/json',
        'petstore-idempotency': '7d',
      });
      response.end(isRefused ? error : body.replace('{', '{"id":7,'));
    });
  };

  it('are shown, kept in the rejects file, and can be had again later', async () => {
    const { run, file } = await setUp();
    const env = await startOther(strict);
    const rejects = path.join(path.dirname(file), 'rejects.csv');
    const first = await run('import FILE', { env });
    expect(first).toMatchObject({
      stdout:
        'LINE  OUTCOME   NAME  REASON\n   3  rejected  Mia   category_full: no more of these\n',
      exitCode: 10,
    });
    expect(first.stderr).toContain(
      'Error: 2 of 3 pets added to staging, 1 rejected\n' +
        `Try:  petstore import ${file} --rejects rejected.csv --resume --env staging\n`,
    );
    const again = await run(`import FILE --resume --rejects ${rejects}`, { env });
    expect(again).toMatchObject({ exitCode: 10, stdout: first.stdout });
    expect(await readFile(rejects, 'utf8')).toBe('name,categoryId,status\nMia,5,\n');
    await writeFile(rejects, (await readFile(rejects, 'utf8')).replace('Mia', 'Mio'));
    expect(await run(`import ${rejects}`, { env })).toMatchObject({ exitCode: 0 });
  });

  it('never go into the file they come from', async () => {
    const { run, file } = await setUp();
    const env = await startOther(strict);
    await run('import FILE', { env });
    const { stderr, exitCode } = await run('import FILE --resume --rejects FILE', { env });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`The rejects file ${file} is the file that is imported`);
    expect(await readFile(file, 'utf8')).toBe(threePets);
  });

  it('when it is all of them, the import is rejected', async () => {
    const { run } = await setUp('[{"name":"Mia","categoryId":1}]', 'pets.json');
    const env = await startOther(strict);
    const { stdout, exitCode } = await run('import FILE --ndjson', { env });
    expect(exitCode).toBe(6);
    expect(stdout).toBe(
      '{"line":1,"outcome":"rejected","pet":{"name":"Mia","categoryId":1},"error":{"code":"category_full","message":"no more of these","status":400}}\n',
    );
  });

  it.each([
    ['a wrong key', { PETSTORE_STAGING_API_KEY: 'wrong-key-altogether' }, 4],
    ['nobody there', { PETSTORE_STAGING_URL: 'http://127.0.0.1:1/v1' }, 8],
  ])('%s ends it before anything is sent', async (_, env, exitCode) => {
    const { run, list } = await setUp();
    expect(await run('import FILE --retries 0', { env })).toMatchObject({ stdout: '', exitCode });
    expect(await list()).toEqual([]);
    expect(await run('import FILE')).toMatchObject({ exitCode: 0 });
  });
});

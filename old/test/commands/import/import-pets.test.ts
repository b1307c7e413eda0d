import { describe, expect, it } from 'vitest';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { setUp } from './support.ts';

const threeListed = [
  '{"name":"Mia","categoryId":5,"status":"available"}',
  '{"name":"Rex","categoryId":4,"status":"sold"}',
  '{"name":"Tom","categoryId":9007199254740993,"status":"pending"}',
];

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

  it('--dry-run needs no state folder', async () => {
    const { run } = await setUp();
    const env = { XDG_STATE_HOME: '/dev/null/nowhere' };
    expect(await run('import FILE --dry-run', { env })).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['FILE.nope', 2, 'There is no file'],
    ['FILE --format xml', 2, '"xml" is not one of csv, json, ndjson'],
    ['FILE --concurrency 0', 2, 'write 1 to 256'],
    ['FILE --resume --fresh', 2, '--resume has no effect with --fresh'],
    ['FILE --dry-run --rejects out.csv', 2, '--rejects has no effect with --dry-run'],
    ['FILE --dry-run --concurrency 8', 2, '--concurrency has no effect with --dry-run'],
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
      stderr: `Error: ${file} has no rows; nothing was sent\n`,
      exitCode: 2,
    });
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
    const question = `Add 3 pets to production (${production.url})? Type production to continue:`;
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

  it.each([
    ['PETSTORE_STAGING_URL', 'http://127.0.0.1:1/v1', 'staging', 8],
    ['PETSTORE_PRODUCTION_URL', 'http://127.0.0.1:1/v1', 'production', 8],
    ['PETSTORE_STAGING_API_KEY', 'wrong-key-1234', 'staging', 4],
  ])('where %s is wrong, nothing is asked', async (name, value, environment, exitCode) => {
    const { run } = await setUp();
    const prompt = createFakePrompt();
    const line = `import FILE -e ${environment} --retries 0`;
    const result = await run(line, { tty: true, prompt, env: { [name]: value } });
    expect(result).toMatchObject({ exitCode, stdout: '' });
    expect(prompt.asked).toEqual([]);
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

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { identifyImport } from '../../../../src/import/staging/import-records.ts';
import { createFakePrompt } from '../../../support/fake-prompt.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { within } from '../../../support/within.ts';
import { findStateFolder, setUp, startKeeper, startOther, threePets } from '../support.ts';

describe('an import over again', () => {
  it('is refused once it was completed, and --resume finds nothing to do', async () => {
    const { run, list, file, staging } = await setUp();
    await run('import FILE');
    expect(await run('import FILE')).toEqual({
      stdout: '',
      stderr:
        `Error: ${file} was imported before: 3 of 3 pets were added\n` +
        `  into staging · ${staging.url}\n` +
        '  --fresh would add all its pets a second time, and pets cannot be removed once added\n',
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

  it('read in another format is refused for its mistakes, and nothing is left of it', async () => {
    const { run, list, file, env } = await setUp('{"name":"Rex","categoryId":1}\n', 'a.ndjson');
    await run('import FILE');
    const prompt = createFakePrompt(true);
    const line = 'import FILE --format csv --fresh';
    const refused = await run(line, { tty: true, prompt });
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain(`Error: ${file} has`);
    expect(refused.stderr).not.toContain('About to add');
    expect(await readdir(findStateFolder(env))).toEqual(['imports.db']);
    expect(await list()).toHaveLength(1);
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

describe('a file of two environments with one base URL', () => {
  it('is recognized, whichever of them it was imported into', async () => {
    const { run, list, file, staging, env } = await setUp();
    const other = {
      PETSTORE_TWIN_URL: staging.url,
      PETSTORE_TWIN_API_KEY: env.PETSTORE_STAGING_API_KEY,
    };
    expect((await run('import FILE --env twin', { env: other })).exitCode).toBe(0);
    expect(await run('import FILE', { env: other })).toEqual({
      stdout: '',
      stderr:
        `Error: ${file} was imported before: 3 of 3 pets were added\n` +
        `  into twin · ${staging.url}\n` +
        '  which is the same service as staging\n' +
        '  --fresh would add all its pets a second time, and pets cannot be removed once added\n',
      exitCode: 3,
    });
    expect(await list()).toHaveLength(3);
    expect((await run('import FILE --fresh', { env: other })).exitCode).toBe(0);
    expect(await list()).toHaveLength(6);
  });

  it('is resumed where it was started, with its confirmation', async () => {
    const interruption = new AbortController();
    const keeper = await startKeeper(() => interruption.abort({ signal: 'SIGINT' }));
    const { PETSTORE_STAGING_URL: url = '' } = keeper.env;
    const env = {
      PETSTORE_STAGING_URL: 'http://localhost:1/v1',
      PETSTORE_PRODUCTION_URL: url,
      PETSTORE_TWIN_URL: url,
      PETSTORE_API_KEY: 'any-key-at-all',
    };
    const { run, file } = await setUp();
    const line = 'import FILE --concurrency 1 --env production --confirm production';
    const stopped = await run(line, { env, signal: interruption.signal });
    const resume = `Try:  petstore import ${file} --resume --env production --confirm production\n`;
    expect(stopped).toMatchObject({ exitCode: 130, stderr: expect.stringContaining(resume) });
    const { stderr, exitCode } = await run('import FILE --env twin --confirm twin', { env });
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`${file} was started but not finished\n`);
    expect(stderr).toContain(resume);
  });
});

describe('a file that was changed since it was imported', () => {
  /** Two of three pets are added, and the file is corrected then. */
  async function correct() {
    const keeper = await startKeeper();
    const desk = await setUp('name,categoryId\nRex,1\nrefused,2\nTom,3\n');
    const run = (line: string) => desk.run(line, { env: keeper.env });
    expect((await run('import FILE --concurrency 1')).exitCode).toBe(10);
    await writeFile(desk.file, 'name,categoryId\nRex,1\nMia,2\nTom,3\n');
    return { ...desk, run, sent: keeper.sent };
  }

  it('--resume sends none of its good rows again, and says where corrections go', async () => {
    const { run, file, sent } = await correct();
    const { stderr, exitCode } = await run('import FILE --resume');
    expect({ exitCode, sent: sent() }).toEqual({ exitCode: 10, sent: 3 });
    expect(stderr).toContain(
      `${file} has changed since it was imported; nothing of what it holds now is sent.`,
    );
    expect(stderr).toContain(`Try:  petstore import ${file} --rejects rejected.csv --resume`);
  });

  it('without --resume it is a new file, of which that is said', async () => {
    const { run, file, sent } = await correct();
    const { stderr, exitCode } = await run('import FILE');
    expect({ exitCode, sent: sent() }).toEqual({ exitCode: 0, sent: 6 });
    expect(stderr).toContain(
      `${file} was imported before with other content: 2 of 3 pets were added, and are added again`,
    );
  });

  it('has nothing to resume when all its pets were added', async () => {
    const { run, file, list } = await setUp();
    await run('import FILE');
    await writeFile(file, `${threePets}Zoe,1,sold\n`);
    const { stderr, exitCode } = await run('import FILE --resume');
    expect(exitCode).toBe(3);
    expect(stderr).toContain(
      `There is nothing to resume: ${file} has changed since it was imported`,
    );
    expect(stderr).toContain(`Try:  petstore import ${file} --env staging\n`);
    expect(await list()).toHaveLength(3);
  });
});

describe('an import that is stopped', () => {
  const rows = 500;
  const many = `name,categoryId\n${Array.from({ length: rows }, (_, row) => `Pet ${row},1\n`).join('')}`;

  /** Interrupts once the service holds some pets. */
  async function interrupt(line: string, { run, staging }: Awaited<ReturnType<typeof setUp>>) {
    const interruption = new AbortController();
    const running = run(line, { signal: interruption.signal });
    await waitFor(async () => expect(await staging.store.findPet(1n)).toBeDefined());
    interruption.abort({ signal: 'SIGINT' });
    return await within(running, 'the import ends when it is asked to stop', 3_000);
  }

  it('finishes what is in flight, says how to resume, and resumes', async () => {
    const desk = await setUp(many);
    const stopped = await interrupt('import FILE --concurrency 2', desk);
    const kept = (await desk.list()).length;
    expect(kept).toBeLessThan(rows);
    expect(stopped).toEqual({
      stdout: '',
      stderr:
        `About to add ${rows} pets to staging (${desk.staging.url})\n` +
        'Stopping: requests in flight are finishing; press Ctrl-C again to stop now.\n' +
        `Stopped: ${kept} of ${rows} pets added to staging\n` +
        '  resuming adds no pet twice\n' +
        `Try:  petstore import ${desk.file} --resume --env staging\n`,
      exitCode: 130,
    });
    expect(await desk.run('import FILE')).toMatchObject({ exitCode: 3 });
    expect(await desk.run('import FILE --resume')).toMatchObject({ exitCode: 0 });
    const names = await desk.list();
    expect(new Set(names).size).toBe(rows);
    expect(names).toHaveLength(rows);
  });

  it('keeps no second copy of its rows while it is resumed', async () => {
    const desk = await setUp(many);
    const interruption = new AbortController();
    const kept = new Set<string>();
    const keeper = await startKeeper((count) => {
      if (count === 20) interruption.abort({ signal: 'SIGINT' });
      if (count > 400) for (const name of readdirSync(findStateFolder(desk.env))) kept.add(name);
    });
    await desk.run('import FILE', { env: keeper.env, signal: interruption.signal });
    expect(await desk.run('import FILE --resume', { env: keeper.env })).toMatchObject({
      exitCode: 0,
    });
    expect([...kept].filter((name) => name.endsWith('.draft'))).toEqual([]);
    expect([...kept].filter((name) => name.endsWith('.staging'))).toHaveLength(1);
  });

  it('on a terminal, asks once, whether to resume', async () => {
    const desk = await setUp(many);
    await interrupt('import FILE --concurrency 2', desk);
    const prompt = createFakePrompt(true);
    expect(await desk.run('import FILE', { tty: true, prompt })).toMatchObject({ exitCode: 0 });
    expect(prompt.asked).toEqual([
      expect.stringMatching(/was started but not finished: \d+ of 500 pets are added. Resume it/),
    ]);
    expect(await desk.list()).toHaveLength(rows);
  });

  it.each([
    ['7d', '0 of 3 pets added to staging'],
    ['', '0 of 3 pets added to staging, 1 with unknown outcome'],
  ])(
    'with a response that never comes, keys honored for "%s", says how to resume all the same',
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
        message: `Stopped: ${far}`,
        outcome: 'unknown',
        next: [`petstore import ${desk.file} --resume --env staging`],
      });
    },
  );

  it('sends the rows that were read, whatever the file holds since', async () => {
    const desk = await setUp(many);
    await interrupt('import FILE --concurrency 2', desk);
    await writeFile(desk.file, 'name,categoryId\nSomebody else,1\n');
    const refused = await desk.run('import FILE');
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toMatch(
      /was changed while its import was not finished: \d+ of 500 pets were added/,
    );
    expect(refused.stderr).toContain(`Try:  petstore import ${desk.file} --resume --env staging\n`);
    await writeFile(desk.file, 'name,categoryId\nSomebody else,not a number\n');
    const resumed = await desk.run('import FILE --resume');
    expect(resumed.exitCode).toBe(0);
    expect(resumed.stderr).toContain(
      `${desk.file} has changed since its import was started; the rows read then are sent.\n`,
    );
    const names = await desk.list();
    expect(new Set(names).size).toBe(rows);
    expect(names).toHaveLength(rows);
    expect(names.join()).not.toContain('Somebody else');
  });

  it('is resumed when the file is gone', async () => {
    const desk = await setUp(many);
    await interrupt('import FILE --concurrency 2', desk);
    await rm(desk.file);
    expect(await desk.run('import FILE --resume')).toMatchObject({ exitCode: 0 });
    expect(await desk.list()).toHaveLength(rows);
    expect(await desk.run('import FILE --resume')).toMatchObject({ exitCode: 2 });
  });

  it('is resumed by its id, and only into its own environment', async () => {
    const desk = await setUp(many);
    await interrupt('import FILE --concurrency 2', desk);
    const hash = createHash('sha256').update(many).digest('hex');
    const id = identifyImport(hash, { environment: 'staging', url: desk.staging.url });
    expect(await desk.run(`import --resume ${id} -e production`)).toEqual({
      stdout: '',
      stderr:
        `Error: Import ${id} goes to staging · ${desk.staging.url}\n` +
        `  this would go to production · ${desk.production.url}\n` +
        `Try:  petstore import --resume ${id} --env staging\n`,
      exitCode: 2,
    });
    expect(await desk.run(`import --resume ${id}`)).toMatchObject({ exitCode: 0 });
    expect(await desk.list()).toHaveLength(rows);
    expect(await desk.run('import --resume 0123456789abcdef')).toMatchObject({ exitCode: 5 });
  });

  it('into an environment that has moved since, names the line that brings its URL back', async () => {
    const desk = await setUp(many);
    await interrupt('import FILE --concurrency 2', desk);
    const hash = createHash('sha256').update(many).digest('hex');
    const id = identifyImport(hash, { environment: 'staging', url: desk.staging.url });
    const env = { PETSTORE_STAGING_URL: 'http://127.0.0.1:1/v1' };
    const refused = await desk.run(`import --resume ${id}`, { env });
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain(
      `Try:  petstore env set staging --url ${desk.staging.url}\n` +
        `      petstore import --resume ${id} --env staging\n`,
    );
  });

  it('is not sent again when its staged rows are gone', async () => {
    const desk = await setUp(many);
    await interrupt('import FILE --concurrency 2', desk);
    const added = (await desk.list()).length;
    const folder = findStateFolder(desk.env);
    for (const name of await readdir(folder)) {
      if (name.endsWith('.staging')) await rm(path.join(folder, name));
    }
    const refused = await desk.run('import FILE --resume');
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toContain('its staged rows are gone');
    expect(await desk.list()).toHaveLength(added);
  });
});

describe('--resume', () => {
  it('takes the file before it or behind it', async () => {
    const { run } = await setUp();
    expect(await run('import --resume FILE')).toMatchObject({ exitCode: 0 });
    expect(await run('import FILE --resume')).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['import', 'import needs a file, or - for stdin'],
    ['import --resume', 'import needs a file, or - for stdin'],
    ['import --resume one.csv two.csv', 'import reads one file, but one.csv and two.csv are given'],
    ['import --resume 0123456789abcdef --dry-run', '--dry-run checks a file'],
  ])('refuses %s', async (line, reason) => {
    const { run } = await setUp();
    const refused = await run(line);
    expect(refused).toMatchObject({ stdout: '', exitCode: 2 });
    expect(refused.stderr).toContain(reason);
  });
});

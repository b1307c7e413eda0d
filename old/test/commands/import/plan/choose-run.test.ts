import { readdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createFakePrompt } from '../../../support/fake-prompt.ts';
import { findStateFolder, setUp, startKeeper, threePets } from '../support.ts';

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

describe('--resume', () => {
  it('takes the file before it or after it', async () => {
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

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { identifyImport } from '../../../../src/import/staging/import-records.ts';
import { createFakePrompt } from '../../../support/fake-prompt.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { within } from '../../../support/within.ts';
import { findStateFolder, setUp, startKeeper, startOther } from '../support.ts';

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

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { setUp, startOther, threePets } from './support.ts';

describe('rows that are not added', () => {
  /** Rejects Mia; every other pet is added. */
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

  it.each([
    [
      'with all its columns, quotes and mark',
      'pets.csv',
      '\uFEFFid;status;name;categoryId\r\n="17";sold;Rex;="4"\r\n="18";"sold";"\'=Mia ""the cat""";="5"\r\n',
      'rejects.csv',
      '\uFEFFid;status;name;categoryId\n="18";"sold";"\'=Mia ""the cat""";="5"\n',
    ],
    [
      'in the format of the rejects file',
      'pets.csv',
      'name,categoryId\nRex,1\nMia,2\n',
      'rejects.ndjson',
      '{"name":"Mia","categoryId":2}\n',
    ],
    [
      'with the spaces they had',
      'pets.json',
      '[{ "categoryId": 1, "name": "Mia" }, { "id": 3, "categoryId": 2, "name": "Mia" }]',
      'rejects.json',
      '[\n  { "categoryId": 1, "name": "Mia" },\n  { "id": 3, "categoryId": 2, "name": "Mia" }\n]\n',
    ],
  ])('are written %s, and can be imported again', async (_, name, content, other, text) => {
    const { run, file, list } = await setUp(content, name);
    const rejects = path.join(path.dirname(file), other);
    await run(`import FILE --rejects ${rejects} --concurrency 1`, {
      env: await startOther(strict),
    });
    expect(await readFile(rejects, 'utf8')).toBe(text);
    expect(await run(`import ${rejects}`)).toMatchObject({ exitCode: 0 });
    const names = (await list()).map((line) => JSON.parse(line).name);
    expect(new Set(names)).toEqual(
      new Set([name === 'pets.csv' && other === 'rejects.csv' ? '=Mia "the cat"' : 'Mia']),
    );
  });

  it('never replace a file that is there, unless they are written again', async () => {
    const { run, file } = await setUp();
    const env = await startOther(strict);
    const rejects = path.join(path.dirname(file), 'mine.csv');
    await writeFile(rejects, 'mine');
    for (const _ of [1, 2]) {
      const refused = await run(`import FILE --rejects ${rejects}`, { env });
      expect(refused).toMatchObject({ exitCode: 2 });
      expect(refused.stderr).toContain('it exists already');
      expect(await readFile(rejects, 'utf8')).toBe('mine');
    }
  });

  it('never replace what was there or was corrected since, also when resumed', async () => {
    const { run, file } = await setUp();
    const env = await startOther(strict);
    const rejects = path.join(path.dirname(file), 'mine.csv');
    await run('import FILE', { env });
    await writeFile(rejects, 'mine');
    const resume = `import FILE --resume --rejects ${rejects}`;
    const refused = await run(resume, { env });
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain('it exists already');
    expect(await readFile(rejects, 'utf8')).toBe('mine');
    await rm(rejects);
    for (const _ of [1, 2]) expect(await run(resume, { env })).toMatchObject({ exitCode: 10 });
    await writeFile(rejects, 'name,categoryId,status\nMio,5,\n');
    expect(await run(resume, { env })).toMatchObject({ exitCode: 2 });
    expect(await readFile(rejects, 'utf8')).toBe('name,categoryId,status\nMio,5,\n');
    expect((await readdir(path.dirname(file))).sort()).toEqual(['mine.csv', 'pets.csv']);
  });

  it('are imported by a line that can be pasted', async () => {
    const { run } = await setUp();
    const rejects = path.join(await makeFolder(), 'odd$r.csv');
    const { stderr } = await run(`import FILE --rejects ${rejects} --confirm staging`, {
      env: await startOther(strict),
    });
    expect(stderr).toContain('  correct the rejected rows first\n');
    expect(stderr).toContain(
      `Try:  petstore import --env staging --confirm staging '${rejects}'\n`,
    );
  });

  it('of a protected environment are imported there, and confirmed', async () => {
    const { run, file } = await setUp();
    const rejects = path.join(path.dirname(file), 'odd$r.csv');
    const { PETSTORE_STAGING_URL, ...env } = await startOther(strict);
    const url = { PETSTORE_PRODUCTION_URL: PETSTORE_STAGING_URL ?? '' };
    const { stderr } = await run(`import FILE --rejects ${rejects} --env production`, {
      env: { ...env, ...url },
      tty: true,
      prompt: createFakePrompt('production'),
    });
    expect(stderr).toContain(
      `Try:  petstore import --env production --confirm production '${rejects}'\n`,
    );
  });

  it('are shown on lines of their own, not in that of the progress', async () => {
    const { run } = await setUp(`name,categoryId\n${'Mia,5\n'.repeat(400)}`);
    const written: string[] = [];
    await run('import FILE --concurrency 1', {
      env: await startOther(strict),
      tty: true,
      prompt: createFakePrompt(true),
      onOutput: (text) => written.push(text),
    });
    const screen = written.join('');
    expect(screen).toContain('Adding: 400 of 400');
    expect(screen).toMatch(/Adding: 400 of 400.*\nLINE/);
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

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { createHome, type RunOptions, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';
import { stagingAt } from '../../support/staging.ts';

async function startStaging() {
  const service = await startService();
  onTestFinished(() => service.close());
  const env = { ...stagingAt(service.url, service.key), HOME: await createHome() };
  return {
    url: service.url,
    add: (words: string[], options: RunOptions = {}) =>
      runPetstore(['add', ...words], { ...options, env }),
    list: async () => (await runPetstore(['list', '--ndjson'], { env })).stdout,
  };
}

describe('add in a pipe', () => {
  it('prints the pet on stdout and what was done on stderr', async () => {
    const { add } = await startStaging();
    expect(await add(['Rex', '--category', '7'])).toEqual({
      stdout: 'ID  NAME  CATEGORY  STATUS\n 1  Rex          7  available\n',
      stderr: 'Added pet 1 to staging.\n',
      exitCode: 0,
    });
  });

  it('names everything that is missing at once', async () => {
    const { add, list } = await startStaging();
    expect(await add([])).toEqual({
      stdout: '',
      stderr:
        'Error: Missing: the name (its first argument) and --category <id>\nTry:  petstore add --help\n',
      exitCode: 2,
    });
    expect(await list()).toBe('');
  });

  it('the same idempotency key adds once', async () => {
    const { add, list } = await startStaging();
    const words = ['Rex', '--category', '7', '--idempotency-key', 'k1'];
    await add(words);
    expect(await add(words)).toMatchObject({
      stderr:
        'Pet 1 was already added to staging with this idempotency key; nothing was added now.\n',
      exitCode: 0,
    });
    expect((await list()).match(/\n/g)).toHaveLength(1);
  });

  it('leaves stdin alone unless it is asked for', async () => {
    const { add } = await startStaging();
    const onStdin = vi.fn();
    expect(await add(['Rex', '--category', '7'], { onStdin })).toMatchObject({ exitCode: 0 });
    expect(onStdin).not.toHaveBeenCalled();
    const stdin = '{"name":"Rex"}';
    await add(['--from', '-', '--category', '7'], { onStdin, stdin });
    expect(onStdin).toHaveBeenCalled();
  });

  it('a name that begins with a dash follows --', async () => {
    const { add, list } = await startStaging();
    expect(await add(['--category', '7', '--', '-rex'])).toMatchObject({ exitCode: 0 });
    expect(await list()).toContain('"name":"-rex"');
  });
});

describe('--from', () => {
  it.each([
    [
      '{"name":"Rex","categoryId":9223372036854775807,"status":"sold"}',
      [],
      '"categoryId":9223372036854775807,"status":"sold"',
    ],
    ['\ufeff{"name":"Rex","categoryId":1}\n', [], '"categoryId":1,"status":"available"'],
    ['{"name":"Rex","categoryId":"9007199254740993"}', [], '"categoryId":9007199254740993'],
    ['{"name":"Rex"}', ['--category', '5'], '"categoryId":5'],
    [
      '{"name":"Rex","categoryId":1,"status":"sold"}',
      ['--status', 'pending'],
      '"status":"pending"',
    ],
  ])('%s with %j', async (stdin, words, stored) => {
    const { add, list } = await startStaging();
    expect(await add(['--from', '-', ...words], { stdin })).toMatchObject({ exitCode: 0 });
    expect(await list()).toContain(stored);
  });

  it.each([
    ['as it is', ''],
    ['with a byte order mark', '\ufeff'],
  ])('reads a file %s', async (_, mark) => {
    const { add, list } = await startStaging();
    const file = path.join(await makeFolder(), 'rex.json');
    await writeFile(file, `${mark}{"name":"Rex","categoryId":3}`);
    expect(await add(['--from', file])).toMatchObject({ exitCode: 0 });
    expect(await list()).toContain('"name":"Rex"');
  });

  it.each([
    ['', 'it is not JSON: value expected (line 1, column 1)'],
    ['{"name":"Rex"\n"categoryId":7}', 'it is not JSON: comma expected (line 2, column 1)'],
    ['['.repeat(100_000), 'it is too deeply nested'],
    ['[]', 'it must be a JSON object'],
    ['null', 'must be a JSON object'],
    ['1e400', 'it must be a JSON object'],
    ['{"name":"Rex","categoryId":1,"":5}', '"": is not a field of a new pet'],
    ['{"name":"Rex","categoryId":1,"id":5}', 'id: is not a field of a new pet'],
    ['{"name":"Rex","categoryId":1.5}', 'categoryId: 1.5 is not a category number'],
    ['{"name":"Rex","categoryId":"one"}', 'categoryId: "one" is not a category number'],
    [
      '{"name":7,"categoryId":1,"status":"lost"}',
      'name: 7 is not a name: write it in quotes; status: "lost" is not a status',
    ],
    ['{"name":"a","name":"b","categoryId":1}', 'name is given twice'],
    ['{"name":"Rex"}', 'Missing: --category <id>'],
  ])('refuses %s', async (stdin, message) => {
    const { add, list } = await startStaging();
    const run = await add(['--from', '-'], { stdin });
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    expect(run.stderr).toContain(message);
    expect(await list()).toBe('');
  });

  it('refuses a name in another encoding, which would be added with characters replaced', async () => {
    const { add, list } = await startStaging();
    const file = path.join(await makeFolder(), 'rex.json');
    await writeFile(file, Buffer.from('{"name":"R\xe9x","categoryId":3}', 'latin1'));
    const run = await add(['--from', file]);
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    expect(run.stderr).toContain('rex.json does not hold a pet: it is not UTF-8');
    expect(await list()).toBe('');
  });

  it('refuses what is nested thousands deep', async () => {
    const { add } = await startStaging();
    const stdin = `{"x":${'['.repeat(40_000)}${']'.repeat(40_000)}}`;
    const run = await add(['--from', '-'], { stdin });
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    expect(run.stderr).toContain('x: is not a field of a new pet');
  });

  it('a file that is not there', async () => {
    const { add } = await startStaging();
    const run = await add(['--from', '/nowhere/rex.json']);
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    expect(run.stderr).toContain('There is no file /nowhere/rex.json');
  });
});

describe('--dry-run', () => {
  it('prints the request without the key and sends nothing', async () => {
    const { add, list, url } = await startStaging();
    const run = await add(['Rex', '--category', '7', '--dry-run', '--idempotency-key', 'k1']);
    expect(run.stderr).toBe('Dry run: nothing was sent.\n');
    expect(run.stdout).toMatch(
      new RegExp(
        `^POST ${url}/pets\\nAuthorization: Bearer \\[redacted\\]\\n[^]*\\nIdempotency-Key: k1\\n\\n\\{"name":"Rex","categoryId":7\\}\\n$`,
      ),
    );
    expect(await list()).toBe('');
  });

  it('needs no key and no confirmation', async () => {
    const env = { PETSTORE_PRODUCTION_URL: 'https://pets.example.com/v1' };
    const words = ['add', 'Rex', '--category', '7', '--dry-run', '-e', 'production'];
    expect(await runPetstore(words, { env })).toMatchObject({ exitCode: 0 });
  });
});

describe('add on a terminal', () => {
  it('asks for just what is missing, after showing where it goes', async () => {
    const { add, list, url } = await startStaging();
    const prompt = createFakePrompt('Rex', '7', 'pending', '');
    const run = await add([], { tty: true, prompt });
    expect(prompt.asked).toEqual([
      ...['Name', 'Category number', 'Status'],
      'Another? name, or Enter to stop (category 7, pending):',
    ]);
    expect(run).toEqual({
      stdout: 'ID  NAME  CATEGORY  STATUS\n 1  Rex          7  pending\n',
      stderr: `staging · ${url}\nAdded pet 1 to staging.\n`,
      exitCode: 0,
    });
    expect(await list()).toContain('"status":"pending"');
  });

  it('asks nothing when nothing is missing', async () => {
    const { add } = await startStaging();
    const prompt = createFakePrompt();
    expect(await add(['Rex', '--category', '7'], { tty: true, prompt })).toMatchObject({
      exitCode: 0,
    });
    expect(prompt.asked).toEqual([]);
  });

  it('asks before it adds the same pet again within minutes, and not later', async () => {
    const { add, list } = await startStaging();
    const words = ['Rex', '--category', '7', '-q'];
    const at = (minutes: number) => new Date(Date.UTC(2027, 0, 1, 12, minutes));
    await add(words, { clock: at(0) });
    const no = createFakePrompt(false);
    expect(await add(words, { tty: true, prompt: no, clock: at(5) })).toEqual({
      stdout: '',
      stderr: 'Error: Not added again; nothing was sent\n',
      exitCode: 3,
    });
    expect(no.asked).toEqual(['"Rex" was added to category 7 a few minutes ago. Add it again?']);
    const yes = createFakePrompt(true);
    expect(await add(words, { tty: true, prompt: yes, clock: at(6) })).toMatchObject({
      exitCode: 0,
    });
    const nobody = createFakePrompt();
    expect(await add(words, { tty: true, prompt: nobody, clock: at(20) })).toMatchObject({
      exitCode: 0,
    });
    expect((await list()).match(/\n/g)).toHaveLength(3);
  });

  it.each([['--no-input'], ['CI']])('asks nothing with %s', async (way) => {
    const { add, url } = await startStaging();
    const words = way === 'CI' ? [] : [way];
    const prompt = createFakePrompt();
    const service = { ...stagingAt(url), HOME: await createHome(), CI: 'true' };
    const run =
      way === 'CI'
        ? await runPetstore(['add'], { env: service, tty: true, prompt })
        : await add(words, { tty: true, prompt });
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
  });
});

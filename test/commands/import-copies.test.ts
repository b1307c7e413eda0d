import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openDesk } from '../support/desk.ts';
import { runPetstore } from '../support/run-petstore.ts';
import { openTestService } from '../support/service.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { openTerminalSession } from '../support/terminal-session.ts';

const service = await openTestService();
afterAll(service.close);

/** A desk whose file holds rows that no other test has. */
async function openCopies() {
  const desk = await openDesk(service);
  const [prefix = ''] = desk.names;
  const write = (rows: readonly string[], file = 'pets.csv') =>
    desk.write(
      rows.map((row) => `${prefix}-${row}`),
      file,
    );
  /** The names of all pets of this desk, in the order of their ids. */
  const list = async () => {
    const { stdout } = await desk.run(`list ${prefix}- --all --csv`);
    const lines = stdout.trim().split('\n').slice(1);
    return lines.map((line) => line.split(',')[1]?.slice(prefix.length + 1));
  };
  /** Changes what is recorded of the only import, as a kill or time would. */
  const changeRecord = async (change: Record<string, unknown>) => {
    const records = path.join(desk.home, '.local/state/petstore/imports');
    const [name = ''] = await readdir(records);
    const file = path.join(records, name);
    const record: object = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...record, ...change }));
  };
  return { ...desk, prefix, write, list, changeRecord };
}

const row = (name: string | number, status = '') => `${name},7,${status}`;
const upTo = (count: number) => Array.from({ length: count }, (_, at) => row(at));

describe('a file that grows', () => {
  it('by ten rows, half of them equal, is imported twenty times: each is added once', async () => {
    const { write, run, list } = await openCopies();
    const rows = Array.from({ length: 200 }, (_, at) => row(at % 2 === 0 ? at : at % 14));
    for (let night = 1; night <= 20; night += 1) {
      await write(rows.slice(0, night * 10));
      const line = night === 1 ? 'import pets.csv' : 'import pets.csv --new';
      expect(await run(line)).toMatchObject({ stdout: '', stderr: '', exitCode: 0 });
    }
    expect((await list()).toSorted()).toEqual(rows.map((one) => one.split(',')[0]).toSorted());
  }, 120_000);

  it('may repeat a row each night', async () => {
    const { write, run, list } = await openCopies();
    for (const night of [1, 2, 3]) {
      await write([row('Total'), row(`night ${night}`)]);
      expect(await run(`import pets.csv${night === 1 ? '' : ' --new'}`)).toMatchObject({
        exitCode: 0,
      });
    }
    expect(await list()).toEqual(['Total', 'night 1', 'night 2', 'night 3']);
  });

  it('may get a status column later: a row is known by name and category', async () => {
    const { write, run, list } = await openCopies();
    await write(upTo(4));
    await run('import pets.csv');
    await write([...upTo(4).map((one) => `${one}sold`), row('new')]);
    expect(await run('import pets.csv')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(/--again\.\nTry: {2}petstore import pets\.csv --new\n/),
    });
    expect(await run('import pets.csv --new')).toMatchObject({ exitCode: 0 });
    expect(await list()).toHaveLength(5);
  });

  it('needs a first import to compare with', async () => {
    const { write, run, list } = await openCopies();
    await write(upTo(2));
    expect(await run('import pets.csv --new')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('Try:  petstore import pets.csv\n'),
    });
    expect(await list()).toEqual([]);
  });

  it('is silent where nothing is new, and tells every row to a program', async () => {
    const { write, run } = await openCopies();
    await write(upTo(2));
    await run('import pets.csv');
    const { stdout, stderr, exitCode } = await run('import pets.csv --new --csv');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.match(/added_before/g)).toHaveLength(2);
  });

  it('finishes first what was killed, and names what is gone from the file', async () => {
    const { write, run, list, changeRecord } = await openCopies();
    await write(upTo(4));
    await run('import pets.csv');
    await changeRecord({ states: 'isss' });
    await write([row(0), row(2), row(3), row('new')]);
    expect(await run('import pets.csv')).toMatchObject({ exitCode: 3 });
    const { exitCode, stdout, stderr } = await run('import pets.csv --new --csv');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(/^Whether rows 2 of the import that was killed were added/),
    });
    expect(stdout.match(/,(added\w*),/g)).toEqual([
      ...Array.from({ length: 3 }, () => ',added_before,'),
      ',added,',
    ]);
    expect(await list()).toEqual(['0', '1', '2', '3', 'new']);
  });

  it('is not guessed about once the keys of a killed import are forgotten', async () => {
    const { write, run, list, changeRecord } = await openCopies();
    await write(upTo(3));
    await run('import pets.csv');
    await changeRecord({ states: 'iss', keysUntil: new Date().toISOString() });
    await write([...upTo(3), row('new')]);
    expect(await run('import pets.csv --new')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('Try:  petstore list --newest --env staging'),
    });
    expect(await list()).toHaveLength(3);
  });
});

describe('a row is added once', () => {
  /** Another computer, or this one after its records were lost, with the same folder of files. */
  const moveHome = async (desk: Awaited<ReturnType<typeof openCopies>>) => {
    const state = await createTemporaryFolder();
    const variables = { ...desk.variables, XDG_STATE_HOME: state };
    return (words: string) => runPetstore(words, { home: desk.home, variables });
  };
  const found = (count: string) =>
    expect.stringMatching(new RegExp(`^${count} of pets\\.csv (was|were) in staging already`));

  it.each([
    ['all rows differ', upTo(3)],
    ['rows are equal', [row(0), row(0), row(1)]],
  ])('of a file that grew and whose record was lost, where %s', async (_, rows) => {
    const desk = await openCopies();
    await desk.write(rows);
    await desk.run('import pets.csv');
    await desk.write([...rows, row('new'), row(0)]);
    await desk.run('import pets.csv --new');
    const run = await moveHome(desk);
    const all = { exitCode: 0, stderr: found('All 5 pets') };
    expect(await run('import pets.csv')).toMatchObject(all);
    await desk.write([...rows, row('new'), row(0), row('newer')]);
    const elsewhere = await moveHome(desk);
    const most = { exitCode: 0, stderr: found('5 of 6 rows') };
    expect(await elsewhere('import pets.csv')).toMatchObject(most);
    expect(await desk.list()).toHaveLength(6);
  });

  it('of a file that grew after a kill, was finished by --new, and whose record was lost', async () => {
    const desk = await openCopies();
    await desk.write(upTo(4));
    await desk.run('import pets.csv');
    await desk.changeRecord({ states: 'isss' });
    await desk.write([...upTo(4), row('new')]);
    expect(await desk.run('import pets.csv --new')).toMatchObject({ exitCode: 0, stderr: '' });
    const run = await moveHome(desk);
    expect(await run('import pets.csv')).toMatchObject({
      exitCode: 0,
      stderr: found('All 5 pets'),
    });
    expect(await desk.list()).toHaveLength(5);
  });

  it('by two tills that take turns with a file that grows', async () => {
    const desk = await openCopies();
    const tills = [await moveHome(desk), await moveHome(desk)];
    for (let turn = 1; turn <= 8; turn += 1) {
      await desk.write(upTo(turn));
      const run = tills[turn % 2];
      const result = await run?.(`import pets.csv${turn > 2 ? ' --new' : ''}`);
      expect(result).toMatchObject({ stdout: '', exitCode: 0 });
    }
    expect(await desk.list()).toEqual(upTo(8).map((_, at) => String(at)));
  });

  it('by two tills with the same file of one row; the second is told', async () => {
    const desk = await openCopies();
    await desk.write(upTo(1));
    await (await moveHome(desk))('import pets.csv');
    const second = await (await moveHome(desk))('import pets.csv');
    expect(second).toMatchObject({ exitCode: 0, stderr: found('All 1 pet') });
    expect(await desk.list()).toHaveLength(1);
  });
});

describe('a delivery whose first rows are those of another is added as a whole', () => {
  const shared = upTo(2);
  it.each([
    ['by name', 'import other.csv'],
    ['from stdin', 'import -'],
    ['a second time', 'import other.csv --again'],
    ['in a file of the same name', 'import pets.csv --again'],
  ])('%s', async (_, words) => {
    const { home, variables, write, run, list } = await openCopies();
    await write([...shared, ...upTo(5).slice(2)]);
    await run('import pets.csv');
    const rows = [...shared, row('x'), row('y'), row('z'), row('v'), row('w')];
    await write(rows, 'other.csv');
    await write(rows);
    const stdin = await readFile(path.join(home, 'other.csv'), 'utf8');
    const result = await runPetstore(words, { home, variables, stdin });
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await list()).toHaveLength(5 + 7);
    await runPetstore(words.replace(' --again', ''), { home, variables, stdin });
    expect(await list()).toHaveLength(5 + 7);
  });

  it('by name, after one from stdin', async () => {
    const { home, variables, write, run, list } = await openCopies();
    await write([...shared, row('x')]);
    const stdin = await readFile(path.join(home, 'pets.csv'), 'utf8');
    await runPetstore('import -', { home, variables, stdin });
    await write([...shared, row('y')]);
    expect(await run('import pets.csv')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await list()).toHaveLength(6);
  });
});

describe('the same file, once its keys are forgotten', () => {
  it.each([
    ['all of them were', ['Down'], 3],
    ['none of them was', ['Down', 'Down'], 5],
  ])('is asked about at a terminal: %s', async (_, keys, count) => {
    const { write, run, list, changeRecord, type } = await openCopies();
    await write(upTo(3));
    await run('import pets.csv');
    // With a nonce, so that the service has never seen the keys.
    const keysUntil = new Date().toISOString();
    await changeRecord({ states: 'iss', nonce: 'forgotten', keysUntil });
    const terminal = await type('petstore import pets.csv --confirm staging');
    await terminal.waitForText('Were these 2 rows added?');
    await terminal.press(...keys, 'Enter');
    expect(await terminal.waitForEnd()).toContain('exit 0');
    expect(await list()).toHaveLength(count);
  });
});

describe('what is typed at a terminal up to Ctrl-D leaves nobody to ask', () => {
  const typeAll = async (line: string, text: string, places: readonly string[]) => {
    const { home, list, prefix } = await openCopies();
    const addresses = places.map((place) => [`PETSTORE_${place.toUpperCase()}_URL`, service.url]);
    const variables = { PETSTORE_API_KEY: service.key, ...Object.fromEntries(addresses) };
    const terminal = await openTerminalSession({ home, variables });
    await terminal.run(line);
    for (const typed of text.replace('Rex', `${prefix}-Rex`).split('\n'))
      await terminal.enter(typed);
    await terminal.press('C-d');
    return { shown: await terminal.waitForEnd(), list };
  };
  const rows = 'name,category\nRex,7';

  it('rows are added', async () => {
    const { shown, list } = await typeAll('petstore import -', rows, ['staging']);
    expect(shown).toContain('exit 0');
    expect(await list()).toEqual(['Rex']);
  });

  it.each([
    [
      'rows for a protected environment',
      'petstore import - --env production',
      rows,
      ['production'],
      'Try:  petstore import - --env production --confirm production',
      'exit 3',
    ],
    [
      'rows for one of several environments',
      'petstore import -',
      rows,
      ['production', 'staging'],
      '      petstore import - --env staging',
      'exit 2',
    ],
    [
      'a pet for one of several environments',
      'petstore add --from -',
      '{"name":"Rex","categoryId":7}',
      ['production', 'staging'],
      '      petstore add --from - --env staging',
      'exit 2',
    ],
    [
      'a key for an environment without an address',
      'petstore login --key-stdin --env staging',
      'pst_1',
      ['production'],
      '  petstore login --env staging --url <address> --key-stdin',
      'exit 2',
    ],
  ])('%s: the error has the line', async (_, line, text, places, next, exit) => {
    const { shown, list } = await typeAll(line, text, places);
    expect(shown).toContain(next);
    expect(shown).toContain(exit);
    expect(await list()).toEqual([]);
  });
});

it('says with --dry-run what this computer knows', async () => {
  const { write, run, type } = await openCopies();
  await write(upTo(1000));
  await run('import pets.csv');
  await write([...upTo(1000), row('new')]);
  const terminal = await type('petstore import pets.csv --dry-run --new');
  const text = await terminal.waitForEnd();
  expect(text).toContain('1,000 of 1,001 are in, 1 is new.');
  expect(text).not.toMatch(/-0 /);
});

it('reads past columns that are not of a pet, and names them in the question', async () => {
  const { home, type } = await openDesk(service, []);
  await writeFile(path.join(home, 'pets.csv'), 'No,name,category,Remark\n1,Rex,7,brown\n');
  const terminal = await type('petstore import pets.csv');
  const text = await terminal.waitForText('(Y/n)');
  expect(text).toContain('column A (No), column D (Remark)');
});

it('takes names of categories from a spreadsheet, and shows them', async () => {
  const { home, variables } = await openDesk(service, []);
  await writeFile(path.join(home, 'categories.csv'), '7,fish\n');
  await writeFile(path.join(home, 'pets.csv'), 'name,category\nRex,Fish\nBo,8\nCy,7 fish\n');
  const named = { ...variables, PETSTORE_CATEGORIES: path.join(home, 'categories.csv') };
  const { stdout } = await runPetstore('import pets.csv --dry-run', { home, variables: named });
  expect(stdout).toMatch(/Rex +7 fish +-\nBo +8 +-\nCy +7 fish/);
  const data = await runPetstore('import pets.csv --dry-run --csv', { home, variables: named });
  expect(data.stdout).toContain('Rex,7,\n');
});

it.each([
  ['Fihs', 'did you mean fish?'],
  ['8 fish', '"8 fish" is not a category: 8 is "dog"'],
])('refuses a category that the file does not have: %s', async (category, words) => {
  const { home, variables } = await openDesk(service, []);
  await writeFile(path.join(home, 'categories.csv'), '7,fish\n8,dog\n');
  await writeFile(path.join(home, 'pets.csv'), `name,category\nRex,${category}\n`);
  const named = { ...variables, PETSTORE_CATEGORIES: home };
  const { stderr, exitCode } = await runPetstore('import pets.csv', { home, variables: named });
  expect({ stderr, exitCode }).toEqual({ exitCode: 2, stderr: expect.stringContaining(words) });
});

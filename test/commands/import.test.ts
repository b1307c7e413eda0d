import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { openDesk } from '../support/desk.ts';
import { startHttpServer } from '../support/http-server.ts';
import { connectTo, runPetstore } from '../support/run-petstore.ts';
import { runShell } from '../support/run-shell.ts';
import { openTestService } from '../support/service.ts';
import { itOnLinux, itOnPosix } from '../support/system.ts';

const service = await openTestService();
afterAll(service.close);

/** A service that refuses pets called Bad. */
async function startRefusingService() {
  let id = 0;
  return await startHttpServer(async (request, response) => {
    const body = await text(request);
    const isBad = body.includes('"Bad"');
    id += 1;
    const pet = { id, name: 'Good', categoryId: 7 };
    const refusal = { code: 'invalid_request', message: 'name: is bad', status: 400 };
    const headers = { 'Content-Type': 'application/json', 'Petstore-Idempotency': '7d' };
    response.writeHead(isBad ? 400 : 201, headers).end(JSON.stringify(isBad ? refusal : pet));
  });
}

/** The ids of pets with one of these names, by the place of the name. */
async function findIds(names: readonly string[]): Promise<number[][]> {
  const [prefix = ''] = names.map((name) => name.slice(0, -1));
  const variables = connectTo(service);
  const { stdout } = await runPetstore(['list', prefix, '--all', '--csv'], { variables });
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return names.map((name) => rows.filter((row) => row[1] === name).map(([id]) => Number(id)));
}

const countPets = async (names: readonly string[]) => (await findIds(names)).flat().length;

describe('from a script', () => {
  it('is silent when all pets are added, in the order of the file', async () => {
    const { names, run } = await openDesk(service);
    expect(await run('import delivery.csv')).toMatchObject({ stdout: '', stderr: '', exitCode: 0 });
    const ids = (await findIds(names)).flat();
    expect(ids).toHaveLength(3);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  });

  it('prints one result per row with --ndjson', async () => {
    const { names, run } = await openDesk(service);
    const { stdout, stderr } = await run('import delivery.csv --ndjson');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toEqual(
      names.map((name, at) => expect.objectContaining({ line: at + 2, outcome: 'added', name })),
    );
    expect(stderr).toBe('');
  });

  it('says all mistakes at once and sends nothing', async () => {
    const { run } = await openDesk(service, ['Rex,dog', ',7', 'Bella,7,gone']);
    const { stdout, stderr, exitCode } = await run('import delivery.csv');
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    for (const line of ['line 2', 'line 3', 'line 4']) expect(stderr).toContain(line);
  });

  it('reads stdin only for -', async () => {
    const { names, run } = await openDesk(service);
    const stdin = JSON.stringify(names.map((name) => ({ name, categoryId: 7 })));
    expect(await run('import -', { stdin })).toMatchObject({ exitCode: 0 });
    expect(await countPets(names)).toBe(3);
  });

  it('knows nothing of earlier rows from stdin, and so does not take --new there', async () => {
    const { names, run } = await openDesk(service);
    const stdin = JSON.stringify(names.map((name) => ({ name, categoryId: 7 })));
    expect(await run('import - --new', { stdin })).toMatchObject({ exitCode: 2 });
    expect(await countPets(names)).toBe(0);
  });

  it('sends nothing with --dry-run', async () => {
    const { names, run } = await openDesk(service);
    expect(await run('import delivery.csv --dry-run --json')).toMatchObject({ exitCode: 0 });
    expect(await countPets(names)).toBe(0);
  });

  it('records nothing when --fields names no field of a result', async () => {
    const { home, run } = await openDesk(service);
    expect(await run('import delivery.csv --csv --fields nme')).toMatchObject({ exitCode: 2 });
    expect(await readdir(home, { recursive: true })).not.toContainEqual(
      expect.stringContaining('imports'),
    );
  });

  it('needs --confirm for a protected environment', async () => {
    const { names, home, run } = await openDesk(service);
    const variables = { PETSTORE_PRODUCTION_URL: service.url, PETSTORE_API_KEY: service.key };
    const refused = await run('import delivery.csv -e production', { variables });
    expect(refused).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('--confirm production'),
    });
    const words = 'import delivery.csv -e production --confirm production';
    expect(await runPetstore(words, { home, variables })).toMatchObject({ exitCode: 0 });
    expect(await countPets(names)).toBe(3);
  });

  it('adds no rows that have ids unless they are wanted as new pets', async () => {
    const { home, run } = await openDesk(service);
    await writeFile(path.join(home, 'list.csv'), 'id,name,categoryId,status\n1,Rex,7,sold\n');
    expect(await run('import list.csv')).toMatchObject({ exitCode: 3 });
    expect(await run('import list.csv --again')).toMatchObject({ exitCode: 0 });
  });
});

describe('the same line again', () => {
  it('warns, sends nothing, and is no failure', async () => {
    const { names, run } = await openDesk(service);
    await run('import delivery.csv');
    const again = await run('import delivery.csv');
    expect(again).toMatchObject({ stdout: '', exitCode: 0 });
    expect(again.stderr).toMatch(/was imported .* \(3 of 3 pets are in\); nothing was sent/);
    expect(await countPets(names)).toBe(3);
  });

  itOnLinux('is a failure where its results cannot be written, every time', async () => {
    const { home, variables } = await openDesk(service);
    const line = 'petstore import delivery.csv --json > /dev/full';
    for (const _ of [1, 2]) expect((await runShell(line, variables, home)).exitCode).toBe(1);
  });

  it('knows the same pets in a file of another name and spelling', async () => {
    const { home, names, run } = await openDesk(service);
    await run('import delivery.csv');
    const rows = names.map((name) => `7;"${name}"`).join('\r\n');
    await writeFile(path.join(home, 'other.csv'), `\ufeffCategory ID;Name\r\n${rows}\r\n`);
    expect((await run('import other.csv')).stderr).toContain('nothing was sent');
  });

  it('sends nothing twice from another computer, and says that all were there', async () => {
    const { home, names, run, variables } = await openDesk(service);
    await run('import delivery.csv');
    const file = path.join(home, 'delivery.csv');
    const other = await runPetstore(['import', file, '--ndjson'], { variables });
    expect(other).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('"code":"cli_already_imported"'),
    });
    expect(other.stdout.match(/"outcome":"added_before"/g)).toHaveLength(3);
    expect(await countPets(names)).toBe(3);
  });

  it('adds all of it a second time with --again, once for each time it is said', async () => {
    const { names, run } = await openDesk(service);
    await run('import delivery.csv');
    expect(await run('import delivery.csv --again')).toMatchObject({ exitCode: 0 });
    expect(await countPets(names)).toBe(6);
  });

  it('is offered also for a file whose name begins with a dash', async () => {
    const desk = await openDesk(await startRefusingService());
    await desk.write(['Good,7', 'Bad,7'], '-may.csv');
    const { stderr } = await desk.run('import -- -may.csv');
    expect(stderr).toContain('Try:  petstore import ./-may.csv --new --env staging');
  });

  it.each(['delivery.csv', './delivery.csv'])(
    'adds a refused row once it was corrected in its file: %s',
    async (word) => {
      const desk = await openDesk(await startRefusingService(), ['Good,7', 'Bad,7']);
      const { home, run, write } = desk;
      const first = await run(`import ${word} --rejects rejects.csv`);
      expect(first).toMatchObject({ exitCode: 10, stderr: expect.stringContaining('1 refused') });
      expect(await readFile(path.join(home, 'rejects.csv'), 'utf8')).toMatch(
        /^\ufeff?name,category,status,reason\r\nBad,7,,/,
      );
      await write(['Good,7', 'Better,7']);
      expect(await run(`import ${word}`)).toMatchObject({ exitCode: 3 });
      const corrected = await run(`import ${word} --new --ndjson`);
      expect(corrected).toMatchObject({ exitCode: 0, stderr: '' });
      expect(corrected.stdout.match(/"outcome":"\w+"/g)).toEqual([
        '"outcome":"added_before"',
        '"outcome":"added"',
      ]);
    },
  );

  itOnPosix(
    'warns and goes on where no record can be written, and refuses --again there',
    async () => {
      const { home, run, variables } = await openDesk(service);
      const nowhere = { ...variables, XDG_STATE_HOME: path.join(home, 'delivery.csv') };
      const first = await run('import delivery.csv', { variables: nowhere });
      expect(first).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('cannot be recorded'),
      });
      const again = await run('import delivery.csv --again', { variables: nowhere });
      expect(again).toMatchObject({ exitCode: 2 });
      expect(again.stderr).toContain('XDG_STATE_HOME names another folder');
    },
  );

  itOnPosix(
    'names the variable of another folder where the one that is there cannot be written',
    async () => {
      const { home, run, variables } = await openDesk(service);
      await mkdir(path.join(home, 'state/petstore'), { recursive: true });
      await writeFile(path.join(home, 'state/petstore/imports'), '');
      const there = { ...variables, XDG_STATE_HOME: path.join(home, 'state') };
      const { stderr } = await run('import delivery.csv --again', { variables: there });
      expect(stderr).toContain('XDG_STATE_HOME names another folder');
    },
  );
});

describe('at a terminal', () => {
  it('shows the first rows and the place, asks, and says how many were added', async () => {
    const { names, type } = await openDesk(service);
    const terminal = await type('petstore import delivery.csv');
    await terminal.waitForText(`? Add 3 pets to staging (${new URL(service.url).host})? (Y/n)`);
    expect(await terminal.read()).toContain(names[0]);
    await terminal.press('Enter');
    expect(await terminal.waitForEnd()).toMatch(
      /Added 3 pets to staging in \d\.\d s as \d+ to \d+\.\nexit 0/,
    );
    await terminal.run('petstore import delivery.csv');
    expect(await terminal.waitForEnd()).toContain('nothing was sent');
  });

  it('sends nothing when another run started while the question was read', async () => {
    const { names, run, type } = await openDesk(service);
    const terminal = await type('petstore import delivery.csv');
    await terminal.waitForText('(Y/n)');
    await run('import delivery.csv');
    await terminal.press('Enter');
    const text = await terminal.waitForEnd();
    expect(text).toContain('Another petstore command started to import delivery.csv');
    expect(text).toContain('exit 3');
    expect((await run('import delivery.csv')).stderr).toContain('(3 of 3 pets are in)');
    expect(await countPets(names)).toBe(3);
  });

  it('asks which rows of a copy are wanted, first the new ones', async () => {
    const { names, run, type, write } = await openDesk(service);
    await run('import delivery.csv');
    const rows = [...names, `${names[0]}-new`].map((name) => `${name},7`);
    await write(rows, 'delivery (1).csv');
    const terminal = await type('petstore import "delivery (1).csv"');
    const text = await terminal.waitForText('only the 1 new row');
    expect(text).toMatch(/3 of the 4 rows of\s+delivery \(1\)\.csv/);
    await terminal.press('Enter');
    await terminal.answer('Add 1 pet to staging');
    expect(await terminal.waitForEnd()).toMatch(/Added 1 pet .*already there: 3\.\nexit 0/s);
    expect(await countPets(names)).toBe(3);
  });

  it('shows the last rows too: below a table there may be a total', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => `Pet ${at},7`);
    const { type } = await openDesk(service, [...rows, 'Total,140']);
    const terminal = await type('petstore import delivery.csv');
    expect(await terminal.waitForText('(Y/n)')).toMatch(/Pet 4 .*\n… .*\nPet 19 .*\nTotal /);
  });

  it('has no as the default where something is to be looked at', async () => {
    const { type } = await openDesk(service, ['Rex,7', 'Rex,7']);
    const terminal = await type('petstore import delivery.csv');
    expect(await terminal.waitForText('(y/N)')).toContain('1 row has the name and category');
  });

  it('adds no rows that have ids where --confirm leaves out the question', async () => {
    const { home, type } = await openDesk(service);
    await writeFile(path.join(home, 'list.csv'), 'id,name,categoryId\n1,Rex,7\n');
    const terminal = await type('petstore import list.csv --confirm staging');
    expect(await terminal.waitForEnd()).toContain('exit 3');
  });

  it('says with --dry-run that an encoding was guessed', async () => {
    const { home, type } = await openDesk(service);
    const bytes = Buffer.from('name,category\nJ\xfcrgen,7\n', 'latin1');
    await writeFile(path.join(home, 'old.csv'), bytes);
    const terminal = await type('petstore import old.csv --dry-run');
    expect(await terminal.waitForEnd()).toContain('was read as Windows-1252');
  });

  it('sends nothing when the response is no', async () => {
    const { names, type } = await openDesk(service);
    const terminal = await type('petstore import delivery.csv');
    await terminal.answer('(Y/n)', 'n');
    expect(await terminal.waitForEnd()).toContain('Stopped; nothing was sent.\nexit 3');
    expect(await countPets(names)).toBe(0);
  });
});

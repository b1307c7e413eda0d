import { afterAll, describe, expect, it } from 'vitest';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { connectTo, runPetstore } from '../support/run-petstore.ts';
import { openTestService } from '../support/service.ts';
import { openTerminalSession } from '../support/terminal-session.ts';

const service = await openTestService();
afterAll(service.close);

const connect = (environment = 'STAGING') => ({
  [`PETSTORE_${environment}_URL`]: service.url,
  PETSTORE_API_KEY: service.key,
});

/** The pets of a category of its own per test, as `name status`. */
async function listPets(category: number): Promise<string[]> {
  const variables = { ...connect(), PETSTORE_ENV: 'staging' };
  const line = `list --category ${category} --all --csv --fields name,status`;
  const { stdout } = await runPetstore(line, { variables });
  return stdout.trimEnd().split('\n').slice(1);
}

async function openSitting(line: string, environment?: string) {
  const terminal = await openTerminalSession({ variables: connect(environment) });
  await terminal.run(line);
  await terminal.waitForText('? Name');
  return terminal;
}

describe('a word that means something else is asked about before it becomes a pet', () => {
  const words = [
    ...['exit', 'quit', 'stop', 'undo', 'help', 'list', '?'],
    ...['EXIT', ':q', '--help', 'petstore list', 'Rex 7 sold', 'Rex;7;sold', '.', 'no'],
  ];
  it('at the first question and at the next', async () => {
    const terminal = await openSitting('petstore add --category 1 --status sold');
    const decline = async (word: string, next: RegExp) => {
      await terminal.enter(word);
      const shown = await terminal.waitForText(/\(y\/N\)$/);
      expect(shown.split('\n').at(-1)).toBe(`? Add a pet called "${word}"? (y/N)`);
      await terminal.enter();
      await terminal.waitForText(next);
    };
    for (const word of words) await decline(word, /\? No\n\? Name$/);
    await terminal.enter('Rex');
    await terminal.waitForText(/\? Another[^✔]*$/);
    for (const word of words) await decline(word, /\? No\n\? Another[^✔]*$/);
    await terminal.enter('exit');
    await terminal.waitForText(/\(y\/N\)$/);
    await terminal.press('C-c');
    expect(await terminal.waitForEnd()).toMatch(/Stopped; 1 pet was added\.\nexit 130\n/);
    expect(await listPets(1)).toEqual(['Rex,sold']);
  });
});

it('a number, a status and nothing else changes the pets that follow', async () => {
  const terminal = await openSitting('petstore add');
  await terminal.enter('Sold');
  await terminal.answer('? Name (sold)', '2');
  await terminal.answer('? Name (category 2, sold)', 'Nemo');
  await terminal.answer(/\(category 2, sold; a number or a status\s+changes it\)/, 'pending');
  await terminal.answer('(category 2, pending;', 'Dory');
  await terminal.answer('Dory (category 2, pending)');
  await terminal.waitForEnd();
  expect(await listPets(2)).toEqual(['Nemo,sold', 'Dory,pending']);
});

it('says at the first name how to stop, and keeps no blanks in the line', async () => {
  const terminal = await openSitting('petstore add');
  for (const blank of ['', '   ']) {
    await terminal.enter(blank);
    await terminal.waitForText(/Type the name of a pet, or press Ctrl-C to stop\.\n\? Name$/);
  }
  await terminal.answer(/\? Name$/, '  Rex');
  await terminal.answer(/Rex\n\? Category number$/, '   ');
  await terminal.answer('"" is not a category number', ' x');
  await terminal.waitForText('? Category number x');
});

it('names of categories are understood and shown', async () => {
  const terminal = await openSitting(
    "printf '3,fish\\n33,dog\\n' >categories.csv; export PETSTORE_CATEGORIES=$PWD; petstore add",
  );
  await terminal.enter('Nemo');
  await terminal.answer('? Category (a number or a name: fish)', 'fihs');
  await terminal.waitForText('"fihs" is not a category: did you mean fish?');
  await terminal.waitForText('? Category (a number or a name: fish) fihs');
  await terminal.press('C-u');
  await terminal.enter('Fish');
  await terminal.answer('? Status');
  await terminal.waitForText('Nemo (category 3 fish, available).');
  await terminal.waitForText(
    /stop \(category 3 fish, available; a number, a\s+category or a status changes it/,
  );
  await terminal.enter('DOG');
  await terminal.waitForText('(category 33 dog, available;');
});

describe('several lines at once', () => {
  it('are several pets after one question that shows them', async () => {
    const terminal = await openSitting('petstore add');
    await terminal.paste('Max\n4\n\nsold\nBella\nRocky\n');
    await terminal.answer('? Add 3 pets to staging');
    await terminal.waitForText('? Another?');
    await terminal.paste('Coco\r\npending\r\nPip\r\n');
    await terminal.answer('? Add 2 pets to staging', 'y');
    await terminal.waitForText(/Added \d+ Pip/);
    await terminal.answer(/category 4, pending;[^?]*$/);
    await terminal.waitForEnd();
    expect(await listPets(4)).toEqual([
      ...['Max,sold', 'Bella,sold', 'Rocky,sold', 'Coco,sold', 'Pip,pending'],
    ]);
  });

  it('are refused where another store than theirs was confirmed', async () => {
    const terminal = await openSitting('petstore add --category 13 --confirm production');
    await terminal.paste('Max\nBella\n');
    await terminal.answer('? Status');
    const message = '--confirm names "production", but this goes to staging.';
    expect(await terminal.waitForEnd()).toContain(message);
    expect(await listPets(13)).toEqual([]);
  });

  it('are asked about without a yes for Enter where one may be a mistake', async () => {
    const terminal = await openSitting('petstore add --category 5 --status sold');
    await terminal.paste('Max\nexit\nMax\n');
    const shown = await terminal.waitForText('? Add 3 pets to staging');
    expect(shown).toContain('"exit" is a command, or a word for something else.');
    expect(shown).toContain('"Max" is there twice.');
    await terminal.enter();
    await terminal.waitForText(/\? No\n\? Name/);
    await terminal.press('C-c');
    await terminal.waitForEnd();
    expect(await listPets(5)).toEqual([]);
  });

  it('keep the last one in the line where it has no Enter', async () => {
    const terminal = await openSitting('petstore add --category 6 --status sold');
    await terminal.paste('Max\nBella\nRoc');
    await terminal.answer('? Add 2 pets to staging');
    await terminal.answer(/changes it\) Roc$/, 'ky');
    await terminal.answer('Rocky (category 6');
    await terminal.waitForEnd();
    expect(await listPets(6)).toEqual(['Max,sold', 'Bella,sold', 'Rocky,sold']);
  });

  it('leave the last one without Enter to the next name, not to the question between', async () => {
    const terminal = await openSitting('petstore add --status sold');
    await terminal.paste('Max\nBella\nRoc');
    await terminal.answer(/\? Category number$/, '14');
    await terminal.answer('? Add 2 pets to staging');
    await terminal.waitForText(/changes it\) Roc$/);
    await terminal.press('C-c');
    await terminal.waitForEnd();
    expect(await listPets(14)).toEqual(['Max,sold', 'Bella,sold']);
  });

  it('arrive whole however many they are', async () => {
    const names = Array.from({ length: 150 }, (_, at) => `A pet with a long name ${at + 1}`);
    const terminal = await openSitting('petstore add --category 8 --status sold');
    await terminal.paste(`${names.join('\n')}\n`);
    const shown = await terminal.waitForText('? Add 150 pets to staging');
    expect(shown).toContain('and 138 more');
    await terminal.enter();
    await terminal.answer('? Another?');
    await terminal.waitForEnd();
    expect(await listPets(8)).toEqual(names.map((name) => `${name},sold`));
  });

  it('with a tab are rows of a spreadsheet', async () => {
    const terminal = await openSitting('petstore add --category 9 --status sold');
    await terminal.paste('Max\t9\tsold\nBella\t9\tsold\n');
    await terminal.waitForText('type petstore import');
    await terminal.waitForText('None of these lines is used.\n? Name');
    await terminal.press('C-c');
    await terminal.waitForEnd();
    expect(await listPets(9)).toEqual([]);
  });

  it('are named where one is asked for', async () => {
    const terminal = await openSitting('petstore add');
    await terminal.enter('Max');
    await terminal.waitForText('? Category number');
    await terminal.paste('10\nBella\nRocky\nCoco\nPip\n');
    await terminal.waitForText('Not used: "Bella", "Rocky", "Coco" and 1 more line.');
    await terminal.waitForText('? Status');
    await terminal.paste('pending\nLuna\n');
    await terminal.waitForText('Not used: "Luna".');
  });

  it('are named when the sitting is left, as nothing else has them', async () => {
    const terminal = await openSitting('petstore add --status sold');
    await terminal.paste('Max\nBella\nRocky\n');
    await terminal.waitForText('? Category number');
    await terminal.press('C-c');
    const shown = await terminal.waitForEnd();
    expect(shown).toContain('Not added: "Bella" and "Rocky".');
    expect(shown).toContain('Try:  petstore add Max --status sold --env staging');
  });

  it('are named where one before them is refused', async () => {
    const replies = [
      respondJson(201, '{"id":1,"name":"Max","categoryId":7}'),
      respondJson(400, '{"code":"invalid_request","message":"No room.","status":400}'),
    ];
    const { url } = await startHttpServer((request, response) => {
      const reply = request.method === 'POST' ? replies.shift() : undefined;
      (reply ?? respondJson(200, '[]'))(request, response);
    });
    const terminal = await openTerminalSession({ variables: connectTo({ url }) });
    await terminal.run('petstore add --category 7 --status sold');
    await terminal.waitForText('? Name');
    await terminal.paste('Max\nBella\nRocky\nCoco\n');
    await terminal.answer('? Add 4 pets to staging');
    const shown = await terminal.waitForEnd();
    expect(shown).toContain('Not added: "Rocky" and "Coco".');
    expect(shown).toContain('No room.');
  });

  it('typed ahead, while a pet is added, are not lost', async () => {
    const terminal = await openSitting('petstore add --category 11 --status sold');
    await terminal.type('Max');
    await terminal.paste('\nBella\nRocky\n');
    await terminal.answer('? Add 3 pets to staging');
    await terminal.answer('? Another?');
    await terminal.waitForEnd();
    expect(await listPets(11)).toEqual(['Max,sold', 'Bella,sold', 'Rocky,sold']);
  });
});

describe('a write to a protected store is answered only by what is typed after its question', () => {
  it.each(['y\n', '\n\n', 'y\ny\ny\n', 'Bella\ny\n', '\ny\n'])(
    'not by %j, pasted with the name',
    async (behind) => {
      const line = 'petstore add --category 12 --status sold';
      const terminal = await openSitting(line, 'PRODUCTION');
      await terminal.paste(`Max\n${behind}`);
      await terminal.waitForText(/\? Add (?:a pet|"Max"|\d pets?)[^?]*\? \((?:Y\/n|y\/N)\)$/);
      await terminal.press('C-c');
      expect(await terminal.waitForEnd()).toContain('Stopped; nothing was added.');
      expect(await listPets(12)).toEqual([]);
    },
  );

  it.each(['y\nBella\n', '\n\n\n\n', 'yes\ny\n'])('not by %j, pasted there', async (text) => {
    const line = 'petstore add Max --category 12';
    const terminal = await openTerminalSession({ variables: connect('PRODUCTION') });
    await terminal.run(line);
    await terminal.waitForText('(Y/n)');
    await terminal.paste(text);
    await terminal.press('C-c');
    expect(await terminal.waitForEnd()).toContain('Stopped; nothing was added.');
    expect(await listPets(12)).toEqual([]);
  });

  it('not by what is typed before it', async () => {
    const terminal = await openTerminalSession({ variables: connect('PRODUCTION') });
    await terminal.run('sleep 1; petstore add Max --category 12');
    await terminal.enter('y');
    await terminal.enter();
    await terminal.waitForText('Not used: "y".');
    await terminal.waitForText(/\(Y\/n\)$/);
    await terminal.press('C-c');
    await terminal.waitForEnd();
    expect(await listPets(12)).toEqual([]);
  });
});

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { connectTo } from '../support/run-petstore.ts';
import { openTestService } from '../support/service.ts';
import { runInTerminal } from '../support/terminal-session.ts';

const service = await openTestService();
afterAll(service.close);
const variables = connectTo(service);

/** The conversation without the ids, which depend on the order of the tests. */
function hideIds(screen: string): string {
  return screen.replaceAll(/Added \d+/g, 'Added …').replace(/127\.0\.0\.1:\d+/g, 'localhost');
}

it('asks for what is missing, adds, and asks for more', async () => {
  const terminal = await runInTerminal('petstore add', { variables });
  await terminal.answer('? Name', 'Goldie');
  await terminal.answer('? Category number', '7x');
  await terminal.waitForText('"7x" is not a category number: write a whole number such as 7.');
  await terminal.waitForText('? Category number 7x');
  await terminal.press('BSpace', 'Enter');
  await terminal.waitForText('? Status');
  await terminal.press('Down', 'Enter');
  await terminal.answer('(category 7, pending;', 'Goldie');
  await terminal.answer('Add another one?');
  await terminal.answer(/one\? No\n\? Another\?/, '9');
  await terminal.answer('(category 9, pending;', 'Sold');
  // In another category it is no repetition.
  await terminal.answer('(category 9, sold;', 'Goldie');
  await terminal.answer(/Added \d+ Goldie \(category 9/);
  expect(hideIds(await terminal.waitForEnd())).toBe(
    [
      'ready> petstore add',
      'staging at localhost',
      'A pet that was added cannot be changed or removed.',
      '✔ Name Goldie',
      '"7x" is not a category number: write a whole number such as 7.',
      '✔ Category number 7',
      '✔ Status pending',
      'Added … Goldie (category 7, pending).',
      '✔ Another? Name, or Enter to stop (category 7, pending; a number or a status',
      'changes it) Goldie',
      '✔ "Goldie" was just added to category 7. Add another one? No',
      '✔ Another? Name, or Enter to stop (category 7, pending; a number or a status',
      'changes it) 9',
      '✔ Another? Name, or Enter to stop (category 9, pending; a number or a status',
      'changes it) Sold',
      '✔ Another? Name, or Enter to stop (category 9, sold; a number or a status',
      'changes it) Goldie',
      'Added … Goldie (category 9, sold).',
      '✔ Another? Name, or Enter to stop (category 9, sold; a number or a status',
      'changes it)',
      'exit 0',
      'ready>',
    ].join('\n'),
  );
});

it('asks nothing where nothing is missing', async () => {
  const terminal = await runInTerminal('petstore add Rex --category 7', { variables });
  expect(hideIds(await terminal.waitForEnd())).toBe(
    [
      'ready> petstore add Rex --category 7',
      'staging at localhost',
      'Added … Rex (category 7, available).',
      'exit 0',
      'ready>',
    ].join('\n'),
  );
});

it.each([
  ['--csv', 'id,name,categoryId,status\n\\d+,Max,7,sold\n\\d+,Bella,7,sold\n'],
  ['--ndjson', '\\{"id":\\d+,"name":"Max".*\n\\{"id":\\d+,"name":"Bella".*\n'],
  ['--json', '\\{"id":\\d+,"name":"Max".*\n\\{"id":\\d+,"name":"Bella".*\n'],
  ['--output ids', '\\d+\n\\d+\n'],
])('asks in every format, and writes the data alone to stdout: %s', async (format, data) => {
  const line = `petstore add ${format} --category 7 --status sold >pets.txt`;
  const terminal = await runInTerminal(line, { variables });
  await terminal.answer('? Name', 'Max');
  await terminal.answer(/\? Another[^✔]*$/, 'Bella');
  await terminal.answer(/Bella\n\? Another[^✔]*$/);
  await terminal.waitForEnd();
  const written = await readFile(path.join(terminal.home, 'pets.txt'), 'utf8');
  expect(written).toMatch(new RegExp(`^${data}exit 0\n$`));
});

it.each([
  '--from pet.json',
  '--idempotency-key till-9 --category 7',
  '--json --no-input --category 7',
])('asks for no name, which the line must have: %s', async (words) => {
  const terminal = await runInTerminal(`echo '{"categoryId":7}' >pet.json; petstore add ${words}`, {
    variables,
  });
  expect(await terminal.waitForEnd()).toMatch(/Error: Missing: the name\.\n(.|\n)*exit 2/);
});

it('does not lose what was typed when it is left', async () => {
  const terminal = await runInTerminal('petstore add', { variables });
  await terminal.answer('? Name', 'Mrs Whiskers');
  await terminal.waitForText('? Category number');
  await terminal.press('C-c');
  expect(await terminal.waitForEnd()).toContain(
    'Stopped; nothing was added.\nTry:  petstore add "Mrs Whiskers" --env staging\nexit 130',
  );
});

it('does not lose what was typed when the key is refused', async () => {
  const terminal = await runInTerminal('petstore add Rex', {
    variables: { ...variables, PETSTORE_STAGING_API_KEY: 'wrong' },
  });
  await terminal.answer('? Category number', '7');
  await terminal.answer('? Status');
  expect(await terminal.waitForEnd()).toContain(
    [
      'Try:  unset PETSTORE_STAGING_API_KEY',
      '      petstore add Rex --category 7 --status available --env staging',
      'exit 4',
    ].join('\n'),
  );
});

it('says how many were added when the sitting is left', async () => {
  const terminal = await runInTerminal('petstore add --category 7 --status sold', { variables });
  await terminal.answer('? Name', 'Rex');
  await terminal.waitForText('? Another?');
  await terminal.press('C-c');
  expect(await terminal.waitForEnd()).toContain('Stopped; 1 pet was added.\nexit 130');
});

it('ends when its terminal does not let it read any more', async () => {
  const terminal = await runInTerminal('petstore add', { variables });
  await terminal.waitForText('? Name');
  await terminal.press('C-d');
  expect(await terminal.waitForEnd()).toContain('Stopped; nothing was added.\nexit 130');
});

it('shows the whole pet and the place before it writes to a protected environment, once', async () => {
  const terminal = await runInTerminal('petstore add --category 7 --status sold', {
    variables: { PETSTORE_PRODUCTION_URL: service.url, PETSTORE_API_KEY: service.key },
  });
  await terminal.answer('? Name', 'Rex');
  await terminal.answer(
    /Add "Rex", category 7, sold, to production \(127.*, protected\)\? \(Y\/n\)/,
  );
  await terminal.answer('? Another?', 'Max');
  await terminal.answer(/Added \d+ Max/);
  await terminal.waitForEnd();
  await terminal.clear();
  await terminal.run('petstore add --category 7');
  await terminal.answer('? Name', 'Bella');
  await terminal.answer('? Status');
  await terminal.answer('(Y/n)', 'n');
  // What was typed is not lost.
  expect(await terminal.waitForEnd()).toContain(
    'Stopped; nothing was added.\nTry:  petstore add Bella --category 7 --status available --env production\nexit 3',
  );
});

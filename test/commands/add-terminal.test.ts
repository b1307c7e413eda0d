import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectTo } from '../support/run-petstore.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { openTerminalSession } from '../support/terminal-session.ts';

let service: TestService;
let variables: Record<string, string>;
beforeAll(async () => {
  service = await openTestService();
  variables = connectTo(service);
});
afterAll(() => service.close());

/** The conversation without the ids, which depend on the order of the tests. */
function hideIds(screen: string): string {
  return screen.replaceAll(/Added \d+/g, 'Added …').replace(/127\.0\.0\.1:\d+/g, 'localhost');
}

it('asks for what is missing, adds, and asks for more', async () => {
  const terminal = await openTerminalSession({ variables });
  await terminal.run('petstore add');
  await terminal.waitForText('? Name');
  await terminal.enter('Goldie');
  await terminal.waitForText('? Category number');
  await terminal.enter('7x');
  await terminal.waitForText('"7x" is not a category number: write a whole number such as 7.');
  await terminal.waitForText('? Category number 7x');
  await terminal.press('BSpace', 'Enter');
  await terminal.waitForText('? Status');
  await terminal.press('Down', 'Enter');
  await terminal.waitForText('(category 7, pending;');
  await terminal.enter('Goldie');
  await terminal.waitForText('Add another one?');
  await terminal.enter();
  await terminal.waitForText(/one\? No\n\? Another\?/);
  await terminal.enter('9');
  await terminal.waitForText('(category 9, pending;');
  await terminal.enter('Sold');
  await terminal.waitForText('(category 9, sold;');
  await terminal.enter('Max');
  await terminal.waitForText(/Added \d+ Max/);
  await terminal.enter();
  expect(hideIds(await terminal.waitForEnd())).toBe(
    [
      'ready> petstore add',
      'staging at localhost',
      'A pet that was added cannot be changed or removed.',
      '✔ Name Goldie',
      '✔ Category number 7x',
      '"7x" is not a category number: write a whole number such as 7.',
      '✔ Category number 7',
      '✔ Status pending',
      'Added … Goldie (category 7, pending).',
      '✔ Another? Name, or Enter to stop (category 7, pending; a number or a',
      'status changes it) Goldie',
      '✔ "Goldie" was just added to category 7. Add another one? No',
      '✔ Another? Name, or Enter to stop (category 7, pending; a number or a',
      'status changes it) 9',
      '✔ Another? Name, or Enter to stop (category 9, pending; a number or a',
      'status changes it) Sold',
      '✔ Another? Name, or Enter to stop (category 9, sold; a number or a status',
      'changes it) Max',
      'Added … Max (category 9, sold).',
      '✔ Another? Name, or Enter to stop (category 9, sold; a number or a status',
      'changes it)',
      'exit 0',
      'ready>',
    ].join('\n'),
  );
});

it('asks nothing where nothing is missing', async () => {
  const terminal = await openTerminalSession({ variables });
  await terminal.run('petstore add Rex --category 7');
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

it('does not lose what was typed when it is left', async () => {
  const terminal = await openTerminalSession({ variables });
  await terminal.run('petstore add');
  await terminal.waitForText('? Name');
  await terminal.enter('Mrs Whiskers');
  await terminal.waitForText('? Category number');
  await terminal.press('C-c');
  expect(await terminal.waitForEnd()).toContain(
    'Stopped; nothing was added.\nTry:  petstore add "Mrs Whiskers" --env staging\nexit 130',
  );
});

it('does not lose what was typed when the key is refused', async () => {
  const terminal = await openTerminalSession({
    variables: { ...variables, PETSTORE_STAGING_API_KEY: 'wrong' },
  });
  await terminal.run('petstore add Rex');
  await terminal.waitForText('? Category number');
  await terminal.enter('7');
  await terminal.waitForText('? Status');
  await terminal.enter();
  expect(await terminal.waitForEnd()).toContain(
    [
      'Try:  unset PETSTORE_STAGING_API_KEY',
      '      petstore add Rex --category 7 --status available --env staging',
      'exit 4',
    ].join('\n'),
  );
});

it('says how many were added when the sitting is left', async () => {
  const terminal = await openTerminalSession({ variables });
  await terminal.run('petstore add --category 7 --status sold');
  await terminal.waitForText('? Name');
  await terminal.enter('Rex');
  await terminal.waitForText('? Another?');
  await terminal.press('C-c');
  expect(await terminal.waitForEnd()).toContain('Stopped; 1 pet was added.\nexit 130');
});

it('ends when its terminal does not let it read any more', async () => {
  const terminal = await openTerminalSession({ variables });
  await terminal.run('petstore add');
  await terminal.waitForText('? Name');
  await terminal.press('C-d');
  expect(await terminal.waitForEnd()).toContain('Stopped; nothing was added.\nexit 130');
});

it('shows the whole pet and the place before it writes to a protected environment, once', async () => {
  const terminal = await openTerminalSession({
    variables: { PETSTORE_PRODUCTION_URL: service.url, PETSTORE_API_KEY: service.key },
  });
  await terminal.run('petstore add --category 7 --status sold');
  await terminal.waitForText('? Name');
  await terminal.enter('Rex');
  await terminal.waitForText(/Add "Rex", category 7, sold, to production \(127.*\)\? \(Y\/n\)/);
  await terminal.enter();
  await terminal.waitForText('? Another?');
  await terminal.enter('Max');
  await terminal.waitForText(/Added \d+ Max/);
  await terminal.enter();
  await terminal.waitForEnd();
  await terminal.clear();
  await terminal.run('petstore add --category 7');
  await terminal.waitForText('? Name');
  await terminal.enter('Bella');
  await terminal.waitForText('? Status');
  await terminal.press('Enter');
  await terminal.waitForText('(Y/n)');
  await terminal.enter('n');
  // What was typed is not lost.
  expect(await terminal.waitForEnd()).toContain(
    'Stopped; nothing was added.\nTry:  petstore add Bella --category 7 --status available --env production\nexit 3',
  );
});

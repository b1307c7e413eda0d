import { expect, it } from 'vitest';
import { runPetstore } from '../support/run-petstore.ts';
import { openTestService } from '../support/service.ts';
import { openTerminalSession } from '../support/terminal-session.ts';

it.each([80, 40])('ten pets are ten pets, whatever else is typed: %d columns', async (columns) => {
  const service = await openTestService();
  const variables = { PETSTORE_PRODUCTION_URL: service.url, PETSTORE_API_KEY: service.key };
  const terminal = await openTerminalSession({ columns, variables });
  const type = async (text: string, next: RegExp) => {
    await terminal.enter(text);
    await terminal.waitForText(next);
  };
  const paste = async (text: string, next: RegExp) => {
    await terminal.paste(text);
    await terminal.waitForText(next);
  };
  const words = ['exit', 'quit', 'stop', 'undo', 'help', 'list', '?'];
  await terminal.run('petstore add');
  await terminal.waitForText(/\? Name$/);
  for (const word of words) {
    await type(word, /\(y\/N\)$/);
    await type('', /\? No\n[^✔]*\? Name$/);
  }
  await type('', /Type the name of a pet(.|\n)*\? Name$/);
  await type('sold', /\? Name\s\(sold\)$/);
  await type('Rex', /\? Category\snumber$/);
  await type('exit', /"exit" is not a\scategory number(.|\n)*exit$/);
  await terminal.press('C-u');
  await paste('7\nextra\n', /Not used: "extra"\.(.|\n)*\(Y\/n\)$/);
  await type('Bella', /"Yes" or "No"$/);
  await type('y', /Added 1 Rex[^✔]*it\)$/);
  for (const word of words) {
    await type(word, /\(y\/N\)$/);
    await type('n', /\? No\n[^✔]*it\)$/);
  }
  await type('pending', /7,\spending;[^✔]*it\)$/);
  await type('3', /3,\spending;[^✔]*it\)$/);
  await type('Bella', /Added 2 Bella[^✔]*it\)$/);
  await type('Bella', /\(y\/N\)$/);
  await type('', /one\? No\n[^✔]*it\)$/);
  await paste('Max\n\n  \nLuna\nquit\nCo', /Add 3 pets[^✔]*\(y\/N\)$/);
  await type('', /it\) Co$/);
  await terminal.press('C-u');
  await paste('Max\r\n\r\nLuna\r\nCo', /Add 2 pets[^✔]*\(Y\/n\)$/);
  await type('', /Added 4 Luna[^✔]*it\) Co$/);
  await type('co', /Added 5 Coco[^✔]*it\)$/);
  await paste('Rocky\tdog\tsold\n', /has tabs[^✔]*sold$/);
  await terminal.press('C-u');
  await paste('Milo\ny\n', /Add 2 pets[^✔]*\(y\/N\)$/);
  await type('', /No\n[^✔]*it\)$/);
  await type('Milo', /Added 6 Milo[^✔]*it\)$/);
  await paste('\u001b[200~Simba\nNala\n\u001b[201~', /Add 2 pets[^✔]*\(Y\/n\)$/);
  await type('yes', /Added 8 Nala[^✔]*it\)$/);
  await type('🐶 Fido', /Added 9 [^✔]*it\)$/);
  await type('شمس', /Added 10 [^✔]*it\)$/);
  await terminal.enter();
  await terminal.waitForEnd();
  const { stdout } = await runPetstore('list --all --csv --fields name,categoryId,status', {
    variables,
  });
  const others = ['Bella', 'Max', 'Luna', 'Coco', 'Milo', 'Simba', 'Nala', '🐶 Fido', 'شمس'];
  expect(stdout.trimEnd().split('\n').slice(1)).toEqual([
    'Rex,7,sold',
    ...others.map((name) => `${name},3,pending`),
  ]);
});

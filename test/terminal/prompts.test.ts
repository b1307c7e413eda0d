import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { changeConfig } from '../../src/config/config-file.ts';
import { runPetstore } from '../support/run-petstore.ts';
import { runShell } from '../support/run-shell.ts';
import { openTestService } from '../support/service.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { openTerminalSession, runInTerminal } from '../support/terminal-session.ts';
import { waitFor } from '../support/wait-for.ts';

const service = await openTestService();
afterAll(service.close);
const variables = { PETSTORE_PRODUCTION_URL: service.url, PETSTORE_API_KEY: service.key };

it.each([
  ['a name', 'petstore add', '? Name', 'Rex'],
  ['a question', 'petstore add Rex --category 7', '(Y/n)', 'n'],
])('comes back to %s after Ctrl-Z and fg', async (_, line, question, typed) => {
  const terminal = await runInTerminal(line, { variables });
  await terminal.waitForText(question);
  await terminal.press('C-z');
  await terminal.waitForText('Stopped');
  await terminal.waitForEnd();
  await terminal.enter('clear; fg');
  const isBack = new RegExp(`^"[^>]*${question.replace(/[?()]/g, '\\$&')}$`);
  await terminal.waitForText(isBack);
  await terminal.type(typed);
  await terminal.waitForText(`${question} ${typed}`);
  await terminal.press('C-c');
  await terminal.waitForText('Stopped; nothing was added.');
});

it.each([
  ['add', '? Name'],
  ['add Rex --category 7', '(Y/n)'],
  ['login', '? API key'],
])('ends by the hangup when its terminal is closed: %s', async (words, question) => {
  const terminal = await runInTerminal(`(trap '' HUP; petstore ${words}) >code`, { variables });
  await terminal.waitForText(question);
  await terminal.close();
  const readCode = async () => {
    const text = await readFile(path.join(terminal.home, 'code'), 'utf8');
    if (text === '') throw new Error('It still runs.');
    return text;
  };
  expect(await waitFor(readCode)).toBe('exit 129\n');
});

it('shows a star for each character of a key', async () => {
  const terminal = await runInTerminal('petstore login', { variables });
  await terminal.waitForText('? API key');
  await terminal.type('not-shown');
  expect(await terminal.waitForText(/\(not shown\) \*{9}$/)).not.toContain('not-shown');
});

it('says a question to a protected store in yellow and bold, and in words', async () => {
  const terminal = await runInTerminal('petstore add Rex --category 7', { variables });
  await terminal.waitForText('(Y/n)');
  const yellowBold = '\u001b[1m\u001b[33m';
  const shown = await terminal.readColors();
  expect(shown).toContain(`${yellowBold}production at 127.0.0.1`);
  expect(shown).toContain(`${yellowBold}Add "Rex"`);
  expect(await terminal.read()).toMatch(/Add "Rex".*\s\(127.*,\sprotected\)\?/);
});

it('colors no question where that is not wanted', async () => {
  const terminal = await openTerminalSession({ variables: { ...variables, NO_COLOR: '1' } });
  await terminal.run('petstore add Rex --category 7');
  await terminal.waitForText('(Y/n)');
  expect(await terminal.readColors()).not.toContain('\u001b[');
  await terminal.press('C-c');
  await terminal.waitForEnd();
  await terminal.run('petstore add Rex');
  await terminal.answer('? Category number', '7');
  await terminal.waitForText('❯ available');
  expect(await terminal.readColors()).not.toContain('\u001b[');
});

it.each(['add', 'add Rex --category 7', 'env remove staging', 'login', 'logout'])(
  'asks nothing of a terminal without escapes, and sends it none: %s',
  async (words) => {
    const folder = { PETSTORE_CONFIG_DIR: await createTemporaryFolder() };
    const keys = { 'https://pets.test': { storage: 'file', ending: 'a1b2' } } as const;
    await changeConfig(folder, () => ({ environments: { production: { keys } } }));
    const plain = { ...variables, ...folder, TERM: 'dumb', SHELL: '/bin/bash' };
    const line = `export -f petstore; script -qec 'petstore ${words}' /dev/null`;
    const { stdout, exitCode } = await runShell(line, plain);
    expect(stdout).toContain('This terminal cannot show a question: TERM is dumb.');
    expect(stdout).not.toContain('\u001b');
    expect(exitCode).toBe(3);
  },
);

it('names several lines that come at a question at once, and asks again', async () => {
  const terminal = await openTerminalSession({ variables });
  await terminal.run('petstore add Rex --category 7');
  await terminal.waitForText('(Y/n)');
  await terminal.paste('y\nBella\n');
  await terminal.waitForText(/Not used: "y" and "Bella"\.\n\? Add [^?]*\? \(Y\/n\)$/);
  await terminal.paste('\n\n');
  await terminal.waitForText(/Not used: blank lines\.\n\? Add [^?]*\? \(Y\/n\)$/);
  await terminal.enter('n');
  await terminal.waitForText('Stopped; nothing was added.');
});

it('takes the next word for a yes or no in place of one that was neither', async () => {
  const terminal = await openTerminalSession({ variables });
  await terminal.run('petstore add Rex --category 7');
  await terminal.waitForText('(Y/n)');
  for (const word of ['exit', 'undo']) {
    await terminal.enter(word);
    await terminal.waitForText(`(Y/n) ${word}\n> You must answer with "Yes" or "No"`);
  }
  // Enter alone is no yes to a word that was wrong.
  await terminal.enter();
  expect((await runPetstore('list Rex --count', { variables })).stdout).toBe('0\n');
  await terminal.enter('n');
  await terminal.waitForText('Stopped; nothing was added.');
});

it('breaks no word of a question or its response at 40 columns', async () => {
  const terminal = await openTerminalSession({ variables, columns: 40 });
  await terminal.run('petstore add Rex --category 7');
  await terminal.waitForText(
    /\? Add "Rex", category 7,\navailable, to production\n\(127.*, protected\)\? \(Y\/n\)$/,
  );
  await terminal.enter('n');
  await terminal.waitForText(
    /✔ Add "Rex", category 7, available, to\nproduction \(127\S+\sprotected\)\?\sNo\n/,
  );
});

it.each(['C-c', 'C-d'])('stops for %s behind lines that are not used', async (key) => {
  const terminal = await runInTerminal('petstore add Rex --category 7', { variables });
  await terminal.waitForText('(Y/n)');
  await terminal.press('a', 'Enter', 'b', 'Enter', key);
  expect(await terminal.waitForEnd()).toMatch(/Stopped; nothing was added\.\n[\s\S]*exit 130\n/);
});

import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { loadProgram } from '../../src/program/build-program.ts';
import { rootHelp } from '../../src/program/help.ts';
import { version } from '../../src/version.ts';
import { runPetstore } from '../support/run-petstore.ts';
import { runInTerminal } from '../support/terminal-session.ts';

const program = await loadProgram(commands);

function listAll(command: Command, path: string): [string, Command][] {
  const below = command.commands.flatMap((verb) => listAll(verb, `${path} ${verb.name()}`));
  return [[path, command], ...below];
}

function readHelp(command: Command): string[] {
  const texts: string[] = [];
  command.configureOutput({ writeOut: (text) => texts.push(text) }).outputHelp();
  return texts.join('').trimEnd().split('\n');
}

describe('every help fits the screen of 80 x 24', () => {
  it.each(listAll(program, 'petstore'))('%s --help', (_, command) => {
    const lines = readHelp(command);
    expect(lines.length).toBeLessThanOrEqual(command.parent === null ? 20 : 22);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

it('shows a command by its sentence, its examples, its options and one line about the others', () => {
  const list = program.commands.find((command) => command.name() === 'list');
  expect(list && readHelp(list)).toEqual([
    'Find pets by a part of their name, their status, or their category.',
    '',
    '  petstore list gold                          "gold" in the name',
    '  petstore list --newest --limit 5            the five latest',
    '  petstore list --status sold --all --csv > sold.csv',
    '',
    'Usage: petstore list|ls [options] [text...]',
    '',
    'Options:',
    '  -s, --status <status>  only this status: available, pending or sold',
    '  -c, --category <id>    only this category, a number or a name',
    '  -n, --limit <n>        show at most this many (default 20)',
    '  --all                  every pet',
    '  --newest               newest first',
    '  --count                print only the number',
    '  -h, --help             show this help',
    '',
    'Also: -e, -o, --json, --csv, --fields, -q, -v; see petstore help options',
  ]);
});

describe('help is asked for in several ways', () => {
  it.each([
    ['', rootHelp],
    ['--help', rootHelp],
    ['help', rootHelp],
    ['help list', 'Find pets by a part of their name'],
    ['list -h', 'Find pets by a part of their name'],
    ['help options --no-color', 'Options of every command'],
    ['-q help options', 'Options of every command'],
    ['help list -e staging', 'Find pets by a part of their name'],
    ['-e add help list', 'Find pets by a part of their name'],
    ['show --help', 'Show one pet by its number.'],
    ['search --help', 'Find pets by a part of their name'],
    ['whoami --help', 'Show the pet stores of this computer'],
    ['help options', 'Options of every command, before or after its name:'],
    ['help licenses', 'petstore contains these packages, each under its own license.'],
    ['--version', `${version}\n`],
  ])('petstore %s', async (line, text) => {
    expect(await runPetstore(line)).toMatchObject({
      ...{ stdout: expect.stringContaining(text), stderr: '', exitCode: 0 },
    });
  });
});

it('breaks no word on a terminal of 40 columns, and shows its headings in bold', async () => {
  const terminal = await runInTerminal('petstore list --help', { columns: 40 });
  const shown = await terminal.waitForEnd();
  expect(shown).toContain('only this\n    status: available, pending or sold');
  expect(await terminal.readColors()).toContain('\u001b[1mOptions:');
});

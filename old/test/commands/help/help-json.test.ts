import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import { Help, HelpCommand } from '../../../src/contract/outputs/help.ts';
import { describeProgram } from '../../../src/program/command-tree.ts';
import { exitCodes } from '../../../src/program/errors/describe-error.ts';
import { runPetstore } from '../../support/run-program.ts';

async function readHelp(...argv: string[]) {
  const { stdout, stderr, exitCode } = await runPetstore(argv);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return JSON.parse(stdout);
}

describe('petstore help --json', () => {
  it.each([
    ['help', '--json'],
    ['--json', 'help'],
    ['-o', 'json', 'help'],
  ])('%s %s has every command, its options and every exit code', async (...argv) => {
    const help = v.parse(Help, await readHelp(...argv));
    const names = help.commands.map(({ command }) => command);
    const { commands: top } = await describeProgram(commands);
    expect(names).toEqual(expect.arrayContaining(top.map(({ name }) => `petstore ${name}`)));
    expect(names).toContain('petstore env set');
    expect(help.exitCodes.map(({ exitCode }) => exitCode).sort((a, b) => a - b)).toEqual([
      0,
      ...new Set(Object.values(exitCodes)),
    ]);
    const list = help.commands.find(({ command }) => command === 'petstore list');
    expect(list).toMatchObject({ aliases: ['ls'], exitCodes: [0, 1, 2, 4, 7, 8, 10] });
    const status = list?.options.find(({ long }) => long === '--status');
    expect(status).toMatchObject({ takesValue: true, choices: ['available', 'pending', 'sold'] });
  });

  it.each([['list'], ['ls'], ['env', 'set'], ['env']])('%s %s: one command', async (...words) => {
    const one = v.parse(HelpCommand, await readHelp('help', ...words, '--json'));
    const all = v.parse(Help, await readHelp('help', '--json'));
    expect(all.commands).toContainEqual(one);
  });

  it.each([
    [['help', 'start', '--json'], 'There is no command start; topics are text only'],
    [['help', 'env', 'nope', '--json'], 'There is no command env nope; topics are text only'],
    [['help', '--csv'], 'Help is text or JSON'],
  ])('%j is refused', async (argv, message) => {
    const run = await runPetstore(argv);
    expect(run).toMatchObject({ stdout: '', exitCode: 2 });
    expect(JSON.parse(run.stderr)).toMatchObject({ code: 'cli_usage', message });
  });

  it('PETSTORE_OUTPUT alone leaves help as text', async () => {
    const env = { PETSTORE_OUTPUT: 'json' };
    for (const argv of [['help'], ['help', 'list'], ['help', 'start']])
      expect(await runPetstore(argv, { env })).toEqual(await runPetstore(argv));
  });
});

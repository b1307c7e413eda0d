import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import { type CommandNode, describeProgram } from '../../../src/program/command-tree.ts';
import { runPetstore } from '../../support/run-program.ts';

interface Leaf {
  words: string[];
  isGroup: boolean;
}

function listCommands(node: Pick<CommandNode, 'commands'>, words: string[] = []): Leaf[] {
  return node.commands.flatMap((command) => {
    const path = [...words, command.name];
    return [{ words: path, isGroup: command.commands.length > 0 }, ...listCommands(command, path)];
  });
}

const every = listCommands(await describeProgram(commands));
const verbs = every.filter(({ isGroup }) => !isGroup).map(({ words }) => words.join(' '));
const groups = every.filter(({ isGroup }) => isGroup).map(({ words }) => words.join(' '));

describe('help', () => {
  it('knows the commands', () => {
    expect(verbs).toEqual(
      expect.arrayContaining(['list', 'add', 'get', 'import', 'env show', 'keys list']),
    );
    expect(groups).toEqual(expect.arrayContaining(['auth', 'env', 'keys']));
  });

  it.each(verbs)(
    'petstore %s --help has examples, the shape of its output and exit codes',
    async (verb) => {
      const { stdout, stderr, exitCode } = await runPetstore([...verb.split(' '), '--help']);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(stdout).toMatch(new RegExp(`^Usage: petstore ${verb.split(' ')[0]}`));
      expect(stdout).toMatch(/^Examples:\n(?: {2}\$ .+\n)+/m);
      expect(stdout).toMatch(/^Output: \S/m);
      expect(stdout).toMatch(/^Exit codes: 0 done/m);
      expect(stdout).toMatch(/\nGlobal options: petstore help options\n$/);
    },
  );

  it.each(verbs)('petstore help %s is the same', async (verb) => {
    const one = await runPetstore(['help', ...verb.split(' ')]);
    const other = await runPetstore([...verb.split(' '), '--help']);
    expect(one).toEqual(other);
  });

  it('puts examples first, then own options, then the global ones that act', async () => {
    const { stdout } = await runPetstore(['list', '--help']);
    const order = [
      'Examples:',
      'Options:',
      '--status <',
      '--require-complete',
      '--env',
      '--retries',
    ];
    const places = order.map((word) => stdout.indexOf(word));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  it.each([
    ['list', ['--env', '--fields', '--timeout'], ['--confirm', '--no-input']],
    ['add', ['--confirm', '--no-input', '--fields'], []],
    ['auth status', ['--env', '--timeout'], ['--fields', '--excel', '--confirm']],
    ['env list', ['--env', '--output'], ['--fields', '--timeout', '--confirm']],
    ['completion', [], ['--env', '--output', '--timeout', '--no-input']],
  ])('petstore %s --help shows %j, not %j', async (verb, shown, absent) => {
    const { stdout } = await runPetstore([...verb.split(' '), '--help']);
    expect(shown.filter((option) => !stdout.includes(option))).toEqual([]);
    expect(absent.filter((option) => stdout.includes(option))).toEqual([]);
  });

  it('accepts a global option that it does not show', async () => {
    expect(await runPetstore(['env', 'list', '--timeout', '5s'])).toMatchObject({ exitCode: 0 });
  });

  it('petstore help options has every global option', async () => {
    const { stdout, exitCode } = await runPetstore(['help', 'options']);
    expect(exitCode).toBe(0);
    const program = await describeProgram(commands);
    expect(program.globalOptions.length).toBeGreaterThan(12);
    expect(program.globalOptions.filter(({ flags }) => !stdout.includes(flags))).toEqual([]);
  });

  it('petstore alone lists the commands, then three lines to start with', async () => {
    const { stdout } = await runPetstore([]);
    expect(stdout).toMatch(
      /^Commands:\n(?: {2}.+\n)+\nStart here:\n(?: {2}\$ petstore .+\n){3}\n/m,
    );
    expect(stdout).not.toContain('--env');
  });

  it.each([
    ['-e staging help list', 'list --help'],
    ['--timeout 5s help env set', 'env set --help'],
    ['--env=staging help', ''],
    ['-e staging help environments', 'help environments'],
    ['help -e staging list', 'list --help'],
  ])('global options may come before help: petstore %s is petstore %s', async (line, same) => {
    const run = (words: string) => runPetstore(words.split(' ').filter((word) => word !== ''));
    const expected = await run(same);
    expect(expected.exitCode).toBe(0);
    expect(await run(line)).toEqual(expected);
  });

  it.each(groups.filter((group) => group !== 'history'))(
    'petstore %s alone names its verbs: 2',
    async (group) => {
      const { stdout, stderr, exitCode } = await runPetstore([group]);
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
      expect(stderr).toMatch(
        new RegExp(
          `^Error: petstore ${group} needs one of: .+\\nTry: {2}petstore ${group} --help\\n$`,
        ),
      );
    },
  );

  it('examples begin with petstore or feed it', async () => {
    for (const verb of verbs) {
      const { stdout } = await runPetstore([...verb.split(' '), '--help']);
      const examples = stdout.match(/^ {2}\$ .+$/gm) ?? [];
      expect(examples.filter((line) => !line.includes('petstore'))).toEqual([]);
    }
  });
});

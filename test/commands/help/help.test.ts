import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import { buildWholeProgram } from '../../../src/program/build-program.ts';
import { type CommandNode, readCommandTree } from '../../../src/program/command-tree.ts';
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

const every = listCommands(readCommandTree(await buildWholeProgram(commands)));
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
      expect(stdout).toMatch(/^Output:\n {2}\S/m);
      expect(stdout).toMatch(/^Exit codes:\n {2}0 done/m);
      expect(stdout).toContain('Global options:');
    },
  );

  it.each(verbs)('petstore help %s is the same', async (verb) => {
    const one = await runPetstore(['help', ...verb.split(' ')]);
    const other = await runPetstore([...verb.split(' '), '--help']);
    expect(one).toEqual(other);
  });

  it.each(groups)('petstore %s alone names its verbs: 2', async (group) => {
    const { stdout, stderr, exitCode } = await runPetstore([group]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(
      new RegExp(
        `^Error: petstore ${group} needs one of: .+\\nTry: {2}petstore ${group} --help\\n$`,
      ),
    );
  });

  it('examples begin with petstore or feed it', async () => {
    for (const verb of verbs) {
      const { stdout } = await runPetstore([...verb.split(' '), '--help']);
      const examples = stdout.match(/^ {2}\$ .+$/gm) ?? [];
      expect(examples.filter((line) => !line.includes('petstore'))).toEqual([]);
    }
  });
});

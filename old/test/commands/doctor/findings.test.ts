import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import { type CommandNode, describeProgram } from '../../../src/program/command-tree.ts';
import { createHome, runPetstore } from '../../support/run-program.ts';
import { type Finding, type Row, rows } from './breakages.ts';

async function runDoctor(open: Row['open']) {
  const { before = [], env, clockOf, ...options } = await open();
  const variables = { HOME: await createHome(), ...env };
  const run = (line: string) =>
    runPetstore(line.split(' '), {
      ...options,
      env: variables,
      ...(clockOf && { clock: clockOf(line) }),
    });
  for (const line of before) await run(line);
  const { stdout, exitCode } = await run('doctor --json --retries 0 --timeout 5s');
  const findings: Finding[] = JSON.parse(stdout);
  return { findings, exitCode };
}

describe('doctor tells', () => {
  it.each(Object.entries(rows))('%s', async (_, { open, check, message, details, next, exit }) => {
    const { findings, exitCode } = await runDoctor(open);
    const finding = findings.find((one) => one.check === check);
    expect(finding).toMatchObject({
      state: 'fail',
      message: expect.stringMatching(message),
      next: expect.arrayContaining(next.map((line) => expect.stringMatching(line))),
    });
    expect(finding?.details.join('\n')).toMatch(details ?? '');
    expect(exitCode).toBe(exit);
    await expectLinesExist(findings);
  });
});

/** Every line to try is a command that exists, and names the environment that was checked. */
async function expectLinesExist(findings: readonly Finding[]): Promise<void> {
  const { commands: known } = await describeProgram(commands);
  for (const line of findings.flatMap(({ next }) => next)) {
    if (!line.startsWith('petstore ')) {
      expect(line).toMatch(/^(export|unset|sudo|w32tm) /);
      continue;
    }
    const words = line.split(' ').slice(1);
    const node = findNode(known, words);
    expect({ line, verb: node?.name }).toEqual({ line, verb: expect.any(String) });
    expect(line).toMatch(/ production( |$)/);
    const flags = words.filter((word) => word.startsWith('--'));
    const options = node?.options.map((option) => option.flags).join(' ') ?? '';
    for (const flag of flags) expect(`${options} --env <name>`).toContain(`${flag} `.trim());
  }
}

function findNode(
  nodes: readonly CommandNode[],
  words: readonly string[],
): CommandNode | undefined {
  const [first, ...others] = words;
  const node = nodes.find(({ name }) => name === first);
  return node === undefined || node.commands.length === 0 ? node : findNode(node.commands, others);
}

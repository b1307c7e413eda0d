import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeManual } from '../../scripts/manual/write-manual.ts';
import { commands } from '../../src/commands/index.ts';
import { environmentVariables } from '../../src/config/variables.ts';
import { type CommandNode, describeProgram } from '../../src/program/command-tree.ts';
import { canRun } from '../support/can-run.ts';
import { makeFolder } from '../support/make-folder.ts';

const run = promisify(execFile);

let manual: string;
let verbs: { usage: string; node: CommandNode }[];
beforeAll(async () => {
  const tree = await describeProgram(commands);
  manual = writeManual(tree, '1.2.3');
  verbs = tree.commands.flatMap((node) => listVerbs(node, 'petstore'));
});

function listVerbs(node: CommandNode, path: string): { usage: string; node: CommandNode }[] {
  const usage = `${path} ${node.name}`;
  if (node.commands.length === 0) return [{ usage, node }];
  return node.commands.flatMap((verb) => listVerbs(verb, usage));
}

describe('the manual page', () => {
  it('describes every command and every option', () => {
    const text = manual.replaceAll('\\-', '-');
    expect(verbs.length).toBeGreaterThan(10);
    for (const { usage, node } of verbs) {
      expect(text).toContain(`.SS ${usage}`);
      for (const { flags } of node.options) expect(text).toContain(`.B ${flags}`);
    }
  });

  it('describes every environment variable', () => {
    const text = manual.replaceAll('\\-', '-');
    for (const { name, meaning } of Object.values(environmentVariables)) {
      expect(text).toContain(`.TP\n.B ${name}\n${meaning}\n`);
    }
  });

  it.skipIf(!canRun('groff'))('is what man(1) understands, without a warning', async () => {
    const file = path.join(await makeFolder(), 'petstore.1');
    await writeFile(file, manual);
    const { stdout, stderr } = await run('groff', ['-man', '-Tutf8', '-ww', file]);
    expect(stderr).toBe('');
    expect(stdout).toContain('petstore 1.2.3');
    expect(stdout).toMatch(/^ {10,}0 {2}done; an empty list is success$/m);
  });
});

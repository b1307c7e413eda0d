import { expect, it } from 'vitest';
import { environmentVariables } from '../../../src/config/variables.ts';
import { runPetstore } from '../../support/run-program.ts';

it('petstore help environments describes every environment variable, one per line', async () => {
  const { stdout, exitCode } = await runPetstore(['help', 'environments']);
  expect(exitCode).toBe(0);
  const lines = stdout.split('\n');
  for (const { name, meaning } of Object.values(environmentVariables)) {
    expect(lines.filter((line) => line.startsWith(`  ${name} `))).toEqual([
      expect.stringMatching(/^ {2}\S+ {2,}\S/),
    ]);
    expect(stdout).toContain(meaning);
  }
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
});

import { describe, expect, it } from 'vitest';
import { runBuilt } from '../support/built-program.ts';
import { makeFolder } from '../support/make-folder.ts';

describe('the standalone program, which is the command line only', () => {
  it.each(['serve', 'keys', 'db'])('%s names the npm package and exits 2', async (name) => {
    const { stdout, stderr, exitCode } = await runBuilt(name, {
      env: { HOME: await makeFolder() },
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(/^.*petstore-cli.*\n$/);
  });

  it.each(['--help', 'completion bash'])('%s does not list them', async (line) => {
    const { stdout, exitCode } = await runBuilt(line, { env: { HOME: await makeFolder() } });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('list');
    expect(stdout).not.toMatch(/\b(serve|db)\b|^ +keys\b/m);
  });
});

import { describe, expect, it } from 'vitest';
import { standaloneCommands } from '../../binary/standalone-commands.ts';
import { runPetstore } from '../support/run-program.ts';

const run = (line: string) => runPetstore(line.split(' '), { commands: standaloneCommands });

describe('the standalone program', () => {
  it.each([
    'serve --port 0',
    'serve --help',
    'help serve',
    'keys list',
    'keys',
    'db copy --from a --to b',
  ])('has no service: petstore %s names the npm package in one line, exit 2', async (line) => {
    const name = line.replace('help ', '').split(' ')[0];
    expect(await run(line)).toEqual({
      stdout: '',
      stderr: `Error: petstore ${name} is not in the standalone program: install the package petstore-cli from its tarball\n`,
      exitCode: 2,
    });
  });

  it.each(['--help', 'completion bash', 'completion zsh', 'completion fish'])(
    'does not offer it: petstore %s',
    async (line) => {
      const { stdout, exitCode } = await run(line);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('doctor');
      expect(stdout).not.toMatch(/\bserve\b|\bdb\b|petstore[ _]keys|^ {2}keys/m);
    },
  );

  it('does not suggest it for a mistyped command', async () => {
    expect((await run('serv')).stderr).not.toContain('Did you mean serve');
  });
});

import { describe, expect, it } from 'vitest';
import { version } from '../../src/version.ts';
import { runPetstore } from '../support/run-program.ts';

describe('the command line as a whole', () => {
  it.each(['-V', '--version'])('%s prints the version', async (flag) => {
    expect(await runPetstore([flag])).toEqual({ stdout: `${version}\n`, stderr: '', exitCode: 0 });
  });

  it('no words at all, help, --help and -h print the same help on stdout', async () => {
    const runs = await Promise.all(
      [[], ['help'], ['--help'], ['-h']].map((argv) => runPetstore(argv)),
    );
    expect(new Set(runs.map((run) => run.stdout)).size).toBe(1);
    for (const run of runs) expect(run).toMatchObject({ stderr: '', exitCode: 0 });
    expect(runs[0]?.stdout).toContain('Usage: petstore');
  });

  it.each(['start', 'environments', 'output', 'options', 'exit-codes', 'deprecation'])(
    'help %s explains it',
    async (topic) => {
      const run = await runPetstore(['help', topic]);
      expect(run).toMatchObject({ stderr: '', exitCode: 0 });
      expect(run.stdout.length).toBeGreaterThan(200);
    },
  );

  it('a broken config file hinders neither help nor version', async () => {
    const env = { PETSTORE_CONFIG_DIR: '/dev/null/nowhere' };
    expect((await runPetstore(['--help'], { env })).exitCode).toBe(0);
    expect((await runPetstore(['--version'], { env })).exitCode).toBe(0);
  });

  it.each([
    [
      ['add', 'Mrs', 'Whiskers', '--category', '7'],
      "Error: A name of several words needs quotes.\nTry:  petstore add 'Mrs Whiskers' --category 7\n",
    ],
    [
      ['-e', 'staging', 'add', 'Mrs', '--status', 'sold', 'Whiskers'],
      "Error: A name of several words needs quotes.\nTry:  petstore add 'Mrs Whiskers'\n",
    ],
    [['hepl'], "Error: Unknown command 'hepl'. Did you mean help?\nTry:  petstore --help\n"],
    [['--jsn'], "Error: Unknown option '--jsn'. Did you mean --json?\nTry:  petstore --help\n"],
    [
      ['help', '--jsno'],
      "Error: Unknown option '--jsno'. Did you mean --json?\nTry:  petstore help --help\n",
    ],
  ])('%j is a usage error with a suggestion', async (argv, stderr) => {
    expect(await runPetstore(argv)).toEqual({ stdout: '', stderr, exitCode: 2 });
  });

  it.each([['-o', 'json'], ['--json'], ['--output=ndjson'], ['--csv']])(
    'a usage error is one JSON line with %s %s',
    async (...format) => {
      const run = await runPetstore(['hepl', ...format]);
      expect(run).toMatchObject({ stdout: '', exitCode: 2 });
      expect(JSON.parse(run.stderr)).toEqual({
        type: 'error',
        code: 'cli_usage',
        message: "Unknown command 'hepl'. Did you mean help?",
        class: 'usage',
        exitCode: 2,
        retryable: false,
        outcome: 'not_sent',
        next: ['petstore --help'],
      });
    },
  );
});

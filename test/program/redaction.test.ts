import { describe, expect, it } from 'vitest';
import { runPetstore } from '../support/run-program.ts';

const key = 'canary-key-0123456789';

describe('a key in a variable is redacted although no request was made', () => {
  const variables = ['PETSTORE_API_KEY', 'PETSTORE_STAGING_API_KEY', 'PETSTORE_PRODUCTION_API_KEY'];
  const mistakes = [
    ['the word for a command', [key]],
    ['an argument', ['get', key]],
    ['the value of an option', ['list', '--status', key]],
    ['the name of a file', ['import', `/nowhere/${key}.csv`]],
    ['the name of an environment', ['list', '--env', key]],
  ] as const;

  it.each(variables.flatMap((name) => mistakes.map(([what, words]) => ({ name, what, words }))))(
    '$name, typed by mistake as $what',
    async ({ name, words }) => {
      for (const format of ['table', 'json']) {
        const run = await runPetstore([...words, '-o', format], { env: { [name]: key } });
        expect(run).toMatchObject({ stdout: '', stderr: expect.stringContaining('[redacted]') });
        expect(run.exitCode).not.toBe(0);
        expect(run.stderr).not.toContain(key);
      }
    },
  );
});

import { describe, expect, it } from 'vitest';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { runPetstore } from '../support/run-program.ts';
import { stagingAt } from '../support/staging.ts';

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

describe('a key that the service sends back is redacted before text is cut, folded or aligned', () => {
  /** Any piece of the key that is long enough to be of use. */
  const pieces = Array.from({ length: key.length - 7 }, (_, at) => key.slice(at, at + 8));

  it.each([20, 30, 40, 50, 60, 80])('in a table of %i columns', async (columns) => {
    const name = `a rather long name ${key} and more`;
    const server = await startHttpServer(
      respondJson(200, JSON.stringify([{ id: 1, name, categoryId: 1 }])),
    );
    const { stdout } = await runPetstore(['list'], {
      env: stagingAt(server.url, key),
      tty: true,
      columns,
    });
    for (const piece of pieces) expect(stdout).not.toContain(piece);
  });

  it.each([30, 40, 60, 80])('in the findings of doctor on %i columns', async (columns) => {
    const message = `the key that was sent is ${key} and that is not a key that is known here`;
    const body = JSON.stringify({ code: 'x', message, status: 500 });
    const server = await startHttpServer(respondJson(500, body));
    const { stdout, stderr } = await runPetstore(['doctor', '--retries', '0'], {
      env: stagingAt(server.url, key),
      tty: true,
      columns,
    });
    expect(stdout).toContain('that was');
    for (const piece of pieces) expect(stdout + stderr).not.toContain(piece);
  });

  it.each([0, 980, 990, 999, 1000])('in a message that is cut, after %i characters', async (at) => {
    const message = `${'y'.repeat(at)}${key} ${'z'.repeat(2000)}`;
    const body = JSON.stringify({ code: 'x', message, status: 400 });
    const server = await startHttpServer(respondJson(400, body));
    const line = ['add', 'Rex', '--category', '7', '--json'];
    const { stderr } = await runPetstore(line, { env: stagingAt(server.url, key) });
    expect(stderr).toContain('…');
    for (const piece of pieces) expect(stderr).not.toContain(piece);
  });
});

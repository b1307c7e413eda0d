import { describe, expect, it } from 'vitest';
import { findFreePort } from '../../../support/free-port.ts';
import { runPetstore } from '../../../support/run-program.ts';
import { stagingAt } from '../../../support/staging.ts';
import { lastError, quick, runAgainst } from './run-against.ts';

describe('8: the service could not be reached', () => {
  it('nothing listens there', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/v1`;
    const run = await runPetstore(['list', ...quick], { env: stagingAt(url) });
    expect(run).toEqual({
      stdout: '',
      stderr:
        'Error: staging cannot be reached: the connection was refused: nothing listens there\n' +
        `  GET ${url}/pets?limit=20\n` +
        'Try:  petstore env show staging --explain\n',
      exitCode: 8,
    });
  });

  it('the name is not known', async () => {
    const env = stagingAt('https://no-such-host.invalid/v1');
    const run = await runPetstore(['list', '--json', ...quick], { env });
    expect(run.exitCode).toBe(8);
    expect(lastError(run.stderr)).toMatchObject({ code: 'cli_unreachable', outcome: 'not_sent' });
  });

  it.each([{ HTTP_PROXY: 'http://p:1' }, { http_proxy: 'http://p:1' }])(
    'and %j alone is said not to be used',
    async (variables) => {
      const [name] = Object.keys(variables);
      const env = { ...stagingAt('https://no-such-host.invalid/v1'), ...variables };
      const run = await runPetstore(['list', '--json', ...quick], { env });
      expect(run.exitCode).toBe(8);
      expect(lastError(run.stderr)).toMatchObject({
        details: [`${name} is set and not used: HTTPS_PROXY names the proxy`],
      });
    },
  );

  it('a dead proxy is named as the proxy', async () => {
    const proxy = `127.0.0.1:${await findFreePort()}`;
    const env = {
      ...stagingAt('https://pets.test/v1'),
      HTTPS_PROXY: `http://ann:secret@${proxy}`,
    };
    const run = await runPetstore(['list', ...quick], { env });
    expect(run).toEqual({
      stdout: '',
      stderr:
        `Error: staging cannot be reached through the proxy http://${proxy}: the connection was refused: nothing listens there\n` +
        '  GET https://pets.test/v1/pets?limit=20\n' +
        '  the proxy is named by HTTPS_PROXY; hosts in NO_PROXY are reached without it\n' +
        'Try:  petstore env show staging --explain\n' +
        '      export NO_PROXY=pets.test\n',
      exitCode: 8,
    });
  });

  it('it is too slow', async () => {
    const { run, error } = await runAgainst(() => {}, ['list', '--timeout', '100ms']);
    expect(run).toMatchObject({ stdout: '', exitCode: 8 });
    expect(error).toMatchObject({
      code: 'cli_timeout',
      message: 'staging: no complete response within 0.1 s',
    });
  });
});

import type { RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { respondJson } from '../../../support/http-server.ts';
import { runPetstore } from '../../../support/run-program.ts';
import { startService } from '../../../support/service.ts';
import { openService, runAgainst, serviceError } from './run-against.ts';

describe('3: refused, needs a confirmation and may not ask', () => {
  it('a write to a protected environment in a pipe', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const env = { PETSTORE_PRODUCTION_URL: service.url, PETSTORE_API_KEY: service.key };
    const run = await runPetstore(['add', 'Rex', '--category', '7', '-e', 'production'], { env });
    expect(run).toEqual({
      stdout: '',
      stderr:
        'Error: production is protected: a write to it must be confirmed\n' +
        `  production is ${service.url}\n` +
        'Try:  petstore add --env production --confirm production Rex --category 7\n',
      exitCode: 3,
    });
  });
});

describe('4: the key', () => {
  it('is missing', async () => {
    const env = { PETSTORE_STAGING_URL: 'https://pets.example.com/v1' };
    const run = await runPetstore(['list'], { env });
    expect(run).toMatchObject({ stdout: '', exitCode: 4 });
    expect(run.stderr).toContain('Try:  petstore auth login --env staging');
  });

  it('is rejected', async () => {
    const env = { ...(await openService()), PETSTORE_STAGING_API_KEY: 'not-the-key-a1b2' };
    const run = await runPetstore(['list'], { env });
    expect(run).toMatchObject({ stdout: '', exitCode: 4 });
    expect(run.stderr).toMatch(
      /^Error: The API key for staging was not accepted.\n {2}401 unauthorized: GET http.*\n {2}key from PETSTORE_STAGING_API_KEY, ending a1b2\nTry: {2}petstore auth /,
    );
  });
});

describe('4: a page with 401 instead of an Error', () => {
  it('is a key that was not accepted', async () => {
    const page: RequestListener = (_, response) =>
      response.writeHead(401, { 'content-type': 'text/html' }).end('<h1>Login</h1>');
    const { run, error } = await runAgainst(page, ['list']);
    expect(run).toMatchObject({ stdout: '', exitCode: 4 });
    expect(error).toMatchObject({
      class: 'auth',
      code: 'cli_unexpected_response',
      status: 401,
      message: 'The API key for staging was not accepted.',
      details: [
        "the response is text/html, not JSON (perhaps a proxy's page)",
        'key from PETSTORE_STAGING_API_KEY, ending 1234',
      ],
    });
  });
});

describe('5: not found', () => {
  it.each(['get', 'list'])('a pet that is not there, via %s', async (via) => {
    const run = await runPetstore(['get', '99', '--via', via], { env: await openService() });
    expect(run).toMatchObject({ stdout: '', exitCode: 5 });
    expect(run.stderr).toMatch(/^Error: There is no pet 99 in staging\.\n/);
    expect(run.stderr).toContain('Try:  petstore list --env staging --all\n');
  });

  it('status, code and URL of the response stand beneath the sentence', async () => {
    const run = await runPetstore(['get', '99'], { env: await openService() });
    expect(run.stderr).toMatch(
      /^.+\n {2}404 not_found: GET http:\/\/127.0.0.1:\d+\/v1\/pets\/99\n/,
    );
  });

  it('a pet below a URL that may be wrong: the reason, and how to look at the URL', async () => {
    const env = await openService();
    const url = String(env.PETSTORE_STAGING_URL).replace('/v1', '/shop/v1');
    const run = await runPetstore(['get', '99'], { env: { ...env, PETSTORE_STAGING_URL: url } });
    expect(run.exitCode).toBe(5);
    expect(run.stderr).toMatch(
      /\n {2}there is no such path\nTry: {2}petstore list .*\n {6}petstore env show staging --explain\n$/,
    );
  });

  it('a URL without a pet store', async () => {
    const { error } = await runAgainst(respondJson(404, serviceError(404, 'not_found')), ['list']);
    expect(error).toMatchObject({
      message: 'There is no pet store at the URL of staging.',
      details: ['because'],
      exitCode: 5,
    });
  });
});

describe('6: rejected by the service', () => {
  it.each([
    [400, 'invalid_request'],
    [413, 'payload_too_large'],
    [422, 'idempotency_mismatch'],
  ])('%i %s on add', async (status, code) => {
    const { run, error } = await runAgainst(respondJson(status, serviceError(status, code)), [
      'add',
      'Rex',
      '--category',
      '7',
    ]);
    expect(run).toMatchObject({ stdout: '', exitCode: 6 });
    expect(error).toMatchObject({ code, status, class: 'rejected', outcome: 'not_applied' });
  });
});

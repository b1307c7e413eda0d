import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { respondJson } from '../../../support/http-server.ts';
import { runAgainst, serviceError } from './run-against.ts';

describe('7: the service failed or is too busy', () => {
  const list = ['list'];
  it.each<[string, RequestListener, Record<string, unknown>]>([
    [
      '500',
      respondJson(500, serviceError(500, 'internal_error')),
      { code: 'internal_error', status: 500 },
    ],
    [
      '503 with Retry-After',
      respondJson(503, serviceError(503, 'unavailable'), { 'retry-after': '7' }),
      { code: 'unavailable', retryable: true, details: ['it asks to wait 7 s'] },
    ],
    [
      '503 with a Retry-After of years',
      respondJson(503, serviceError(503, 'unavailable'), { 'retry-after': '100000000' }),
      { details: [expect.stringMatching(/^it asks to wait until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)] },
    ],
    [
      'a message of a million characters, which is cut',
      respondJson(500, JSON.stringify({ code: 'x', message: 'y'.repeat(1_000_000), status: 500 })),
      { message: `staging failed: ${'y'.repeat(1000)}…` },
    ],
    [
      'a page with 404: not our service',
      (_, response) =>
        response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>'),
      { message: 'There is no pet store at the URL of staging.', retryable: false },
    ],
    ['408', respondJson(408, serviceError(408, 'request_timeout')), { retryable: true }],
    ['429', respondJson(429, serviceError(429, 'too_many')), { retryable: true }],
    [
      'HTML',
      (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Login</h1>'),
      {
        code: 'cli_unexpected_response',
        message: expect.stringContaining(
          "sent an unexpected response: text/html, not JSON (perhaps a proxy's page)",
        ),
      },
    ],
    [
      'a 502 page',
      (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>'),
      { status: 502 },
    ],
    ['no content type', (_, response) => response.end('[]'), { code: 'cli_unexpected_response' }],
    [
      'truncated JSON',
      respondJson(200, '[{"id":1,"na'),
      { message: expect.stringContaining('truncated') },
    ],
    ['another JSON', respondJson(200, '{"pets":[]}'), { code: 'cli_unexpected_response' }],
    [
      'an id beyond int64',
      respondJson(200, '[{"id":9223372036854775808,"name":"x","categoryId":1}]'),
      { code: 'cli_unexpected_response' },
    ],
    [
      'an unknown status',
      respondJson(200, '[{"id":1,"name":"x","categoryId":1,"status":"lost"}]'),
      {
        message:
          'staging sent an unexpected response: [0].status must be one of available, pending, sold, is "lost"',
      },
    ],
    [
      'a redirect, which is not followed',
      (_, response) => response.writeHead(302, { location: 'https://evil.example/v1/pets' }).end(),
      { message: expect.stringContaining('never followed') },
    ],
    [
      'a next page elsewhere',
      respondJson(200, '[]', { link: '<https://evil.example/v1/pets>; rel="next"' }),
      { code: 'cli_unexpected_response' },
    ],
    [
      'a page that names itself as next',
      respondJson(200, '[]', { link: '<?limit=20>; rel="next"' }),
      { code: 'cli_unexpected_response' },
    ],
  ])('%s', async (_name, answer, expected) => {
    const { run, error, server } = await runAgainst(answer, list);
    expect(run).toMatchObject({ stdout: '', exitCode: 7 });
    expect(error).toMatchObject({
      type: 'error',
      class: 'service',
      exitCode: 7,
      environment: 'staging',
      ...expected,
    });
    expect(server.requests).toEqual(['GET /v1/pets?limit=20']);
  });

  it('a response larger than any page', async () => {
    const { run, error } = await runAgainst((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`["${'x'.repeat(17 * 1024 * 1024)}"]`);
    }, list);
    expect(run).toMatchObject({ stdout: '', exitCode: 7 });
    expect(error).toMatchObject({ message: expect.stringContaining('larger than any page') });
  });

  it('the connection is reset in the middle of the body', async () => {
    const { run, error } = await runAgainst(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('[{"id":1', () => response.socket?.resetAndDestroy());
      },
      ['list'],
    );
    expect(run).toMatchObject({ stdout: '', exitCode: 7 });
    expect(error).toMatchObject({
      code: 'cli_connection_lost',
      class: 'service',
      message: expect.stringMatching(/^staging: the connection was lost in the middle of the resp/),
      retryable: true,
    });
  });
});

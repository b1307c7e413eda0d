import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { findFreePort } from '../../../support/free-port.ts';
import { respondJson, startHttpServer } from '../../../support/http-server.ts';
import { createHome, runPetstore } from '../../../support/run-program.ts';
import { stagingAt } from '../../../support/staging.ts';
import { lastError, quick, runAgainst, serviceError } from './run-against.ts';

describe('9: the outcome of a write is unknown', () => {
  const add = [
    'add',
    'Rex\' "x"',
    '--category',
    '7',
    '--status',
    'sold',
    '--idempotency-key',
    'k1',
  ];
  const rerun =
    "petstore add --env staging --idempotency-key k1 'Rex'\\'' \"x\"' --category 7 --status sold";
  const honored = { 'petstore-idempotency': '7d' };

  const failures: [string, RequestListener][] = [
    ['the connection is lost', (request) => request.socket.destroy()],
    ['500', respondJson(500, serviceError(500, 'internal_error'))],
    [
      'a page instead of the pet',
      (_, response) => response.writeHead(201, { 'content-type': 'text/html' }).end('ok'),
    ],
    ['time runs out', () => {}],
    [
      'an earlier request with the same key has not ended',
      respondJson(409, serviceError(409, 'idempotency_conflict')),
    ],
  ];

  it.each(failures)('%s, and nothing is promised: look before', async (_name, answer) => {
    const { run, error } = await runAgainst(answer, [...add, '--timeout', '200ms']);
    expect(run).toMatchObject({ stdout: '', exitCode: 9 });
    expect(error).toMatchObject({
      class: 'unknown_outcome',
      outcome: 'unknown',
      retryable: false,
      request: { method: 'POST' },
      next: [`petstore list --env staging --all --name 'Rex'\\'' "x"'`],
    });
    expect(String(error?.details)).toMatch(/may add it twice, so look first$/);
  });

  it.each([
    ['500', respondJson(500, serviceError(500, 'internal_error'), honored)],
    [
      'an earlier request with the same key has not ended',
      respondJson(409, serviceError(409, 'idempotency_conflict'), honored),
    ],
  ])('%s, and keys are honored: the same line again', async (_name, answer) => {
    const { run, error } = await runAgainst(answer, add);
    expect(run).toMatchObject({ stdout: '', exitCode: 9 });
    expect(error).toMatchObject({ outcome: 'unknown', retryable: true, next: [rerun] });
    expect(String(error?.details)).not.toContain('twice');
  });

  it('what the service promised an earlier run counts when it is out of reach', async () => {
    const HOME = await createHome();
    let isLost = false;
    const { url } = await startHttpServer((request, response) => {
      if (isLost) request.socket.destroy();
      else respondJson(201, '{"id":1,"name":"Rex","categoryId":7}', honored)(request, response);
    });
    const env = { ...stagingAt(url), HOME };
    const line = ['add', 'Rex', '--category', '7', '--idempotency-key', 'k1', '--json', ...quick];
    expect((await runPetstore(line, { env })).exitCode).toBe(0);
    isLost = true;
    const { stderr, exitCode } = await runPetstore(line, { env });
    expect(exitCode).toBe(9);
    expect(lastError(stderr)).toMatchObject({
      retryable: true,
      next: ['petstore add --env staging --idempotency-key k1 Rex --category 7'],
    });
  });

  it('but a request that surely never left is 8', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/v1`;
    const run = await runPetstore([...add, '--json', ...quick], { env: stagingAt(url) });
    expect(run.exitCode).toBe(8);
    expect(lastError(run.stderr)).toMatchObject({ outcome: 'not_sent' });
  });
});

describe('1: the created pet is not the one that was sent', () => {
  const add = ['add', 'Rex', '--category', '7', '--status', 'sold'];

  it.each([
    ['{"id":4,"name":"rex","categoryId":7,"status":"sold"}', 'name: sent "Rex", is "rex"'],
    ['{"id":4,"name":"Rex","categoryId":8,"status":"sold"}', 'categoryId: sent 7, is 8'],
    ['{"id":4,"name":"Rex","categoryId":7}', 'status: sent "sold", is absent'],
  ])('%s: printed, and not to be repeated', async (created, difference) => {
    const { run, error } = await runAgainst(respondJson(201, created), add);
    expect(run.exitCode).toBe(1);
    expect(JSON.parse(run.stdout)).toEqual(JSON.parse(created));
    expect(error).toMatchObject({
      code: 'cli_pet_differs',
      outcome: 'applied',
      retryable: false,
      details: [difference, 'it was added all the same: do not add it again'],
      next: ['petstore get --env staging 4'],
    });
  });

  it('a status that was not sent is the choice of the service', async () => {
    const created = '{"id":4,"name":"Rex","categoryId":7,"status":"pending"}';
    const { run } = await runAgainst(respondJson(201, created), add.slice(0, -2));
    expect(run.exitCode).toBe(0);
  });
});

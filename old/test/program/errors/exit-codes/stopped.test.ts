import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHttpServer } from '../../../support/http-server.ts';
import { runPetstore } from '../../../support/run-program.ts';
import { startService } from '../../../support/service.ts';
import { stagingAt } from '../../../support/staging.ts';
import { within } from '../../../support/within.ts';
import { lastError } from './run-against.ts';

describe('10: incomplete', () => {
  it('more pets exist and --require-complete was given: the rows, then the error', async () => {
    const service = await startService({
      pets: [1n, 2n].map((categoryId) => ({ name: 'Rex', categoryId })),
    });
    onTestFinished(service.close);
    const env = stagingAt(service.url, service.key);
    const argv = ['list', '--limit', '1', '--require-complete', '-q'];
    expect(await runPetstore(argv, { env })).toEqual({
      stdout: '1\n',
      stderr:
        'Error: Showing 1 pet; more exist. Use --all.\nTry:  petstore list --env staging --all\n',
      exitCode: 10,
    });
  });
});

describe('130 and 143: stopped', () => {
  it.each([
    ['SIGINT', 130, 'cli_interrupted'],
    ['SIGTERM', 143, 'cli_terminated'],
  ])('%s while a pet is being added', async (signal, exitCode, code) => {
    const stop = new AbortController();
    const server = await startHttpServer(() => stop.abort({ signal }));
    const aborted = once(stop.signal, 'abort');
    const running = runPetstore(
      ['add', 'Rex', '--category', '7', '--idempotency-key', 'k1', '--json'],
      { env: stagingAt(server.url), signal: stop.signal },
    );
    await Promise.race([aborted, running]);
    const run = await within(running, `add ends on ${signal}`, 2_000);
    expect(run).toMatchObject({ stdout: '', exitCode });
    expect(lastError(run.stderr)).toMatchObject({
      code,
      outcome: 'unknown',
      retryable: false,
      next: ['petstore list --env staging --all --name Rex'],
    });
  });
});

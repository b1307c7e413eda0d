import { setImmediate as soon } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { setUp, startOther } from '../support.ts';

describe('a service that is too busy', () => {
  it('is sent fewer rows at once until it has accepted all of them', async () => {
    const names = new Set<string>();
    let inFlight = 0;
    let refusals = 0;
    const env = await startOther((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        inFlight += 1;
        await soon();
        const isBusy = request.method === 'POST' && inFlight > 6;
        if (isBusy) refusals += 1;
        inFlight -= 1;
        const body = Buffer.concat(chunks).toString() || '[]';
        if (!isBusy && body !== '[]') names.add(body);
        response.setHeader('petstore-idempotency', '7d');
        response.writeHead(isBusy ? 503 : request.method === 'POST' ? 201 : 200, {
          'content-type': 'application/json',
        });
        const error = '{"code":"unavailable","message":"too busy","status":503}';
        response.end(isBusy ? error : body.replace('{', '{"id":1,'));
      });
    });
    const rows = Array.from({ length: 600 }, (_, row) => `Pet ${row},1\n`).join('');
    const { run } = await setUp(`name,categoryId\n${rows}`);
    expect(await run('import FILE --concurrency 64', { env })).toMatchObject({ exitCode: 0 });
    expect(names.size).toBe(600);
    // Without slowing down it is told so some ninety times.
    expect(refusals).toBeLessThan(40);
  });
});

import { expect, it } from 'vitest';
import { runLeakCheck } from '../support/leak-run.ts';
import { makeFolder } from '../support/make-folder.ts';

it('mixed requests, some malformed, all get a status below 500 or 503, and leave nothing behind (npm run test:leak sends 50,000)', async () => {
  const { tally, before, after } = await runLeakCheck(await makeFolder(), {
    warmUp: 1_500,
    measured: 1_500,
  });
  expect([...tally.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([]);
  for (const status of [200, 201, 400, 401, 404, 405]) expect(tally.get(status)).toBeGreaterThan(0);
  expect(after / before).toBeLessThan(1.2);
}, 120_000);

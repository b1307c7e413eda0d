import path from 'node:path';
import { expect, it } from 'vitest';
import { runCrashRounds } from '../support/crash-rounds.ts';
import { makeFolder } from '../support/make-folder.ts';
import { makeKey } from '../support/make-key.ts';

it('a service killed under load has every pet it acknowledged, once (npm run test:crash does 50 rounds)', async () => {
  const file = path.join(await makeFolder(), 'petstore.db');
  const key = makeKey(`sqlite:${file}`);
  await expect(runCrashRounds({ file, key, rounds: 3 })).resolves.toMatchObject({ rounds: 3 });
}, 60_000);

import { expect, it } from 'vitest';
import { attacks } from '../support/attacks/attacks.ts';
import { runAttack } from '../support/attacks/run-attack.ts';

const withstood = attacks.filter(({ inSuite }) => inSuite);

it.each(withstood.map((attack) => [attack.name, attack] as const))(
  'the service withstands %s (npm run test:attack has the whole table)',
  async (_name, attack) => {
    const { broken } = await runAttack(attack, { isShort: true });
    expect(broken).toEqual([]);
  },
);

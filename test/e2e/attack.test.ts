import { expect, it } from 'vitest';
import { attacks } from '../support/attacks/attacks.ts';
import { runAttack } from '../support/attacks/run-attack.ts';

it.each(attacks.filter(({ inSuite }) => inSuite))(
  'the service withstands $name (npm run test:attack has the whole table)',
  async (attack) => {
    const { broken } = await runAttack(attack, { isShort: true });
    expect(broken).toEqual([]);
  },
);

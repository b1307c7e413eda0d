import { expect, it } from 'vitest';
import { runPetstore } from '../../support/run-program.ts';

const color = { NO_COLOR: '' };

it('on a terminal Error: is red and the line to try stands out', async () => {
  const { stderr } = await runPetstore(['lits'], { tty: true, env: color });
  expect(stderr).toBe(
    "\u001b[31mError:\u001b[39m Unknown command 'lits'. Did you mean list?\nTry:  \u001b[36mpetstore --help\u001b[39m\n",
  );
});

it('production keeps its own color', async () => {
  const env = { ...color, PETSTORE_PRODUCTION_URL: 'http://127.0.0.1:1/v1' };
  const line = ['list', '-e', 'production', '--retries', '0'];
  const { stderr } = await runPetstore(line, {
    ...{ tty: true, columns: 200 },
    env: { ...env, PETSTORE_PRODUCTION_API_KEY: 'some-key-1234' },
  });
  const [target, error] = stderr.split('\n');
  expect(target).toMatch(/^\u001b\[1m\u001b\[31mproduction · /);
  expect(error).toMatch(/^\u001b\[31mError:/);
});

it('elsewhere there is no color', async () => {
  const { stderr } = await runPetstore(['lits'], { env: color });
  expect(stderr).toBe("Error: Unknown command 'lits'. Did you mean list?\nTry:  petstore --help\n");
});

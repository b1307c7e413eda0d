import { describe, expect, it } from 'vitest';
import { openMachine } from './open-machine.ts';

describe('protection is taken away only by its name', () => {
  const shared = {
    environments: {
      production: { url: 'https://pets.acme.test/v1' },
      staging: { url: 'https://pets.acme.test/v1' },
      live: { url: 'https://live.acme.test/v1', protected: true },
      till: { url: 'https://live.acme.test/v1' },
    },
  };
  it.each([
    ['env set production --no-protected', 'production'],
    ['env set production --url https://x.acme.test/v1 --no-protected', 'production'],
    ['env set production --url https://x.acme.test/v1', 'production'],
    ['env remove production', 'production'],
    ['env remove live', 'live'],
    ['env set till --no-protected', undefined],
    ['env set till --url https://till.acme.test/v1', undefined],
    ['env set live --url https://live.acme.test/v1', undefined],
    ['env remove till', undefined],
  ])('%s needs --confirm %s', async (line, name) => {
    const { run, readConfig } = await openMachine(shared);
    const result = await run(line);
    expect(result.exitCode).toBe(name === undefined ? 0 : 3);
    if (name === undefined) return;
    expect(await readConfig()).toEqual(shared);
    expect(result.stderr).toContain('This would take protection away from');
    expect(result.stderr).toContain(`Try:  petstore ${line} --confirm ${name}\n`);
    expect((await run(`${line} --confirm till`)).exitCode).toBe(3);
    expect((await run(`${line} --confirm ${name}`)).exitCode).toBe(0);
  });

  it('of the built-in production as of any other, before it has a URL too', async () => {
    const { run } = await openMachine();
    expect((await run('env set production --no-protected')).exitCode).toBe(3);
    expect((await run('env set staging --no-protected')).exitCode).toBe(0);
  });
});

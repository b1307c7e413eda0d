import { describe, expect, it } from 'vitest';
import { openMachine } from './open-machine.ts';

describe('petstore env use', () => {
  it('chooses the environment of later commands', async () => {
    const { run, readConfig } = await openMachine({});
    expect(await run('env use production')).toEqual({
      stdout: '',
      stderr: 'Using production from now on. It is protected: a write to it must still name it.\n',
      exitCode: 0,
    });
    expect(await readConfig()).toEqual({ environment: 'production' });
    expect((await run('env show --quiet')).stdout).toBe('production\n');
  });

  it('says when something else selects another one for now', async () => {
    const { run } = await openMachine();
    const { stderr } = await run('env use production', { env: { PETSTORE_ENV: 'staging' } });
    expect(stderr).toContain('For now PETSTORE_ENV selects staging instead.');
  });

  it('refuses an unknown name and changes nothing', async () => {
    const { run, readConfig } = await openMachine({ environment: 'staging' });
    expect((await run('env use other')).exitCode).toBe(2);
    expect(await readConfig()).toEqual({ environment: 'staging' });
  });
});

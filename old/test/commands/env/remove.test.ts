import { describe, expect, it } from 'vitest';
import { createFakeKeychain } from '../../support/fake-keychain.ts';
import { bothSet, openMachine } from './open-machine.ts';

describe('petstore env remove', () => {
  it('forgets an environment, its keys, and that it was in use', async () => {
    const { run, readConfig } = await openMachine();
    const keychain = createFakeKeychain();
    await run('env set demo --url https://demo.pets.test/v1');
    await run('env use demo');
    const login = 'auth login --env demo --key-stdin --no-verify';
    await run(login, { keychain, stdin: 'demo-key-a1b2' });
    expect(keychain.secrets.size).toBe(1);
    expect(await run('env remove demo', { keychain })).toEqual({
      stdout: '',
      stderr: 'Removed demo and its keys.\nIt was the environment in use; now it is staging.\n',
      exitCode: 0,
    });
    expect(keychain.secrets.size).toBe(0);
    expect(await readConfig()).toEqual({ environments: {}, keys: {} });
  });

  it('leaves the others as they are', async () => {
    const { run, readConfig } = await openMachine(bothSet);
    await run('env remove staging');
    expect(await readConfig()).toEqual({
      environment: 'production',
      environments: { production: bothSet.environments.production },
    });
    expect((await run('env list --quiet')).stdout).toBe('production\nstaging\n');
  });

  it('refuses an environment that a variable keeps alive', async () => {
    const { run } = await openMachine();
    const env = { PETSTORE_DEMO_URL: 'https://demo.pets.test/v1' };
    expect(await run('env remove demo', { env })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('PETSTORE_DEMO_URL'),
    });
  });
});

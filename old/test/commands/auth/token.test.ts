import { beforeEach, describe, expect, it } from 'vitest';
import { type Machine, openMachine } from '../../support/machine.ts';

let machine: Machine;
beforeEach(async () => {
  machine = await openMachine();
});

describe('petstore auth token', () => {
  it('prints the key to a pipe, and nothing else', async () => {
    const { run, staging } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    expect(await run('auth token')).toEqual({
      stdout: `${staging.key}\n`,
      stderr: '',
      exitCode: 0,
    });
    expect((await run('auth token --json')).stdout).toBe(
      `${JSON.stringify({ environment: 'staging', key: staging.key })}\n`,
    );
  });

  it('shows it on a screen only with --reveal, and asks no keychain before', async () => {
    const { run, staging, keychain } = machine;
    keychain.secrets.set(machine.accountOf(staging), staging.key);
    const refused = await run('auth token', { tty: true });
    expect(refused).toMatchObject({ stdout: '', exitCode: 3 });
    expect(refused.stderr).toContain('Try:  petstore auth token --env staging --reveal\n');
    expect(keychain.calls()).toBe(0);
    expect((await run('auth token --reveal', { tty: true })).stdout).toBe(`${staging.key}\n`);
  });
});

import { describe, expect, it } from 'vitest';
import { bothSet, openMachine } from './open-machine.ts';

describe('petstore env show', () => {
  it('shows the selected environment, or the one that is named', async () => {
    const { run } = await openMachine(bothSet);
    expect((await run('env show')).stdout).toBe(
      'NAME        PROTECTED  SELECTED  KEY          URL\n' +
        'production  yes        yes       none stored  https://pets.acme.test/v1\n',
    );
    expect((await run('env show staging --json')).stdout).toBe(
      '{"name":"staging","url":"https://staging.acme.test/v1","protected":false,"selected":false,"until":null,"key":null}\n',
    );
  });

  it('suggests the name that was meant', async () => {
    const { run } = await openMachine();
    expect(await run('env show prodution')).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('Did you mean production?'),
      exitCode: 2,
    });
  });

  it('explains every setting, where it came from and what it overrides', async () => {
    const key = { storage: 'keychain', storedAt: '2026-11-20', lastFour: 'e5f6', fingerprint: '' };
    const keys = { 'staging@https://other.acme.test': key };
    const { run, configFile } = await openMachine({ ...bothSet, output: 'csv', keys });
    const env = {
      PETSTORE_ENV: 'production',
      PETSTORE_STAGING_URL: 'https://other.acme.test/v1',
      PETSTORE_STAGING_API_KEY: 'canary-key-a1b2',
      PETSTORE_API_KEY: 'canary-key-c3d4',
      PETSTORE_API_KEY_FILE: '/keys/staging',
      HTTPS_PROXY: 'http://ann:secret@proxy.acme.test:3128',
    };
    const { stdout } = await run('env show --explain --env staging --json --timeout 5s', { env });
    const rows: { setting: string }[] = JSON.parse(stdout);
    const config = (member: string) => ({ kind: 'config', path: configFile, member });
    const byDefault = { kind: 'default' };
    expect(Object.fromEntries(rows.map(({ setting, ...row }) => [setting, row]))).toMatchObject({
      environment: {
        value: 'staging',
        source: { kind: 'flag', name: '--env' },
        overridden: [
          { value: 'production', source: { kind: 'variable', name: 'PETSTORE_ENV' } },
          { value: 'production', source: config('environment') },
          { value: 'staging', source: byDefault },
        ],
      },
      url: {
        value: 'https://other.acme.test/v1',
        source: { kind: 'variable', name: 'PETSTORE_STAGING_URL' },
        overridden: [
          { value: 'https://staging.acme.test/v1', source: config('environments.staging.url') },
          { value: null, source: byDefault },
        ],
      },
      protected: { value: 'false', source: byDefault, overridden: [] },
      key: {
        value: 'ending a1b2',
        source: { kind: 'variable', name: 'PETSTORE_STAGING_API_KEY' },
        overridden: [
          { value: 'ending c3d4', source: { kind: 'variable', name: 'PETSTORE_API_KEY' } },
          { value: '/keys/staging', source: { kind: 'variable', name: 'PETSTORE_API_KEY_FILE' } },
          { value: 'ending e5f6', source: { kind: 'keychain' } },
          { value: null, source: byDefault },
        ],
      },
      output: {
        value: 'json',
        source: { kind: 'flag', name: '--json' },
        overridden: [
          { value: 'csv', source: config('output') },
          { value: 'table', source: byDefault },
        ],
      },
      timeout: { value: '5s', source: { kind: 'flag', name: '--timeout' } },
      retries: { value: '2', source: byDefault, overridden: [] },
      color: { value: 'never', source: { kind: 'variable', name: 'NO_COLOR' } },
      proxy: { value: 'http://proxy.acme.test:3128' },
      'config file': { value: configFile, source: byDefault },
    });
    expect(stdout).not.toMatch(/canary|secret/);
  });
});

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  checkCertificates,
  checkDeprecation,
  checkProxy,
  checkRuntime,
} from '../../../src/commands/doctor/checks.ts';
import { UserError } from '../../../src/errors.ts';
import { createFakeKeychain } from '../../support/fake-keychain.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { createHome, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';

/** Nothing listens there: whatever is sent fails. */
const nowhere = { PETSTORE_STAGING_URL: 'http://127.0.0.1:9/v1', PETSTORE_API_KEY: 'a-long-key' };

async function openService() {
  const service = await startService();
  onTestFinished(service.close);
  return { PETSTORE_STAGING_URL: service.url, PETSTORE_STAGING_API_KEY: service.key };
}

/** States by check. */
function readStates(stdout: string): Record<string, string> {
  const results: { check: string; state: string }[] = JSON.parse(stdout);
  return Object.fromEntries(results.map(({ check, state }) => [check, state]));
}

describe('petstore doctor', () => {
  it('passes everything on a machine that works, in lines for people', async () => {
    const home = await createHome();
    const env = { ...(await openService()), HOME: home };
    const clock = new Date();
    const run = await runPetstore(['doctor'], { env, clock });
    const lines = [
      `pass  runtime      Node ${process.versions.node}`,
      `pass  config       ${home}/.config/petstore/config.json`,
      `pass  environment  staging (default) · ${env.PETSTORE_STAGING_URL}`,
      'pass  keychain     responds',
      `pass  key          ending ${env.PETSTORE_STAGING_API_KEY.slice(-4)}, from PETSTORE_STAGING_API_KEY`,
      'pass  proxy        none in use',
      'pass  certificates the certificate authorities that come with the program',
      `pass  clock        ${clock.toISOString()}`,
      'pass  deprecation  GET /pets/{petId} works until 2030-12-05',
    ];
    const squeeze = (text: string) => text.replace(/ +/g, ' ');
    expect(squeeze(run.stdout)).toContain(squeeze(lines.join('\n')));
    expect(run.stdout).toMatch(/\npass {2}service {7}responded in \d+ ms\n$/);
    expect(run).toMatchObject({ stderr: '', exitCode: 0 });
  });

  it('folds what it says to fit a screen, but no line to be copied', async () => {
    const failure = new UserError('cli_keychain_unavailable', 'No keychain service answers', {
      details: ['the system says that it has none, neither here nor there'],
      next: ['petstore auth login --env staging --storage file'],
    });
    const keychain = createFakeKeychain({ failure });
    const run = await runPetstore(['doctor', '--offline'], {
      env: nowhere,
      keychain,
      tty: true,
      columns: 50,
    });
    expect(run.stdout).toContain(
      [
        'warn  keychain      No keychain service answers',
        '                    the system says that it has',
        '                    none, neither here nor there',
      ].join('\n'),
    );
    expect(run.stdout).toContain('Try: petstore auth login --env staging --storage file\n');
  });

  it('--offline sends nothing, and says what was not checked', async () => {
    const run = await runPetstore(['doctor', '--offline'], { env: nowhere });
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(
      /\nskip {2}service +not checked \(--offline\): whether it responds, accepts the key, and agrees with the clock\n$/,
    );
  });

  it('a broken config file is one finding among others', async () => {
    const home = await createHome();
    await mkdir(path.join(home, '.config/petstore'), { recursive: true });
    await writeFile(path.join(home, '.config/petstore/config.json'), '{ "environment": ');
    const run = await runPetstore(['doctor', '--offline', '--json'], {
      env: { ...nowhere, HOME: home },
    });
    expect(run.exitCode).toBe(2);
    expect(JSON.parse(run.stderr)).toMatchObject({ code: 'cli_invalid_config', exitCode: 2 });
    expect(readStates(run.stdout)).toEqual({
      runtime: 'pass',
      config: 'fail',
      environment: 'pass',
      keychain: 'pass',
      key: 'pass',
      proxy: 'pass',
      certificates: 'pass',
      clock: 'pass',
      deprecation: 'pass',
      service: 'skip',
    });
  });

  it('each finding is a record with what to do next', async () => {
    const run = await runPetstore(['doctor', '--json']);
    expect(JSON.parse(run.stdout)).toContainEqual({
      check: 'environment',
      state: 'fail',
      message: 'The environment staging has no URL yet',
      details: [
        'two lines set it up; whoever runs the service gives you its URL and an API key',
        'or set PETSTORE_STAGING_URL and PETSTORE_STAGING_API_KEY',
      ],
      next: [
        'petstore env set staging --url https://pets.example.com/v1',
        'petstore auth login --env staging',
      ],
    });
    expect(run.exitCode).toBe(2);
  });

  it('a silent keychain is a failure only for whom no other place gives a key', async () => {
    const failure = new UserError('cli_keychain_unavailable', 'No keychain service answers');
    const keychain = createFakeKeychain({ failure });
    const withKey = await runPetstore(['doctor', '--offline', '--json'], {
      env: nowhere,
      keychain,
    });
    expect(withKey.exitCode).toBe(0);
    expect(readStates(withKey.stdout)).toMatchObject({ keychain: 'warn', key: 'pass' });
    const { PETSTORE_API_KEY: _, ...env } = nowhere;
    const without = await runPetstore(['doctor', '--offline', '--json'], { env, keychain });
    expect(without.exitCode).toBe(4);
    expect(readStates(without.stdout)).toMatchObject({ keychain: 'fail', key: 'fail' });
  });

  it.each([
    ['nothing listens', 8, () => nowhere],
    ['the key is rejected', 4, async () => ({ ...(await openService()), ...wrongKey })],
  ])('ends as a command would: %s', async (_, exitCode, open) => {
    const words = ['doctor', '--retries', '0', '--json'];
    const run = await runPetstore(words, { env: await open() });
    expect(run.exitCode).toBe(exitCode);
    expect(readStates(run.stdout)).toMatchObject({ key: 'pass', service: 'fail' });
  });

  it('tells a clock that is five minutes ahead of the service', async () => {
    const env = await openService();
    const clock = new Date(Date.now() + 5 * 60_000);
    const run = await runPetstore(['doctor'], { env, clock });
    expect(run.stdout).toContain("this machine's clock is 5 min ahead of the service");
    expect(run.exitCode).toBe(2);
  });

  it('without a key learns that the service is there', async () => {
    const { PETSTORE_STAGING_URL } = await openService();
    const env = { PETSTORE_STAGING_URL };
    const run = await runPetstore(['doctor', '--json'], { env });
    expect(readStates(run.stdout)).toMatchObject({ key: 'fail', service: 'pass' });
  });
});

const wrongKey = { PETSTORE_STAGING_API_KEY: 'not-a-key-of-this-service' };

describe('what a machine is checked for', () => {
  it.each([
    [{ node: '20.19.0' }, 'pass'],
    [{ node: '20.18.3' }, 'fail'],
    [{ node: '18.20.0' }, 'fail'],
    [{ node: '26.0.0' }, 'pass'],
    [{ node: '24.3.0', bun: '1.4.0' }, 'pass'],
  ])('runtime %j: %s', (versions, state) => {
    expect(checkRuntime(versions).state).toBe(state);
  });

  it.each([
    [{}, 'pass', /none/],
    [
      { https_proxy: 'http://ann:secret@proxy:3128', NO_PROXY: '.local' },
      'pass',
      /proxy:3128.*\.local/,
    ],
    [{ HTTPS_PROXY: 'proxy:3128' }, 'pass', /^http:\/\/proxy:3128 \(HTTPS_PROXY\)$/],
    [{ HTTPS_PROXY: 'proxy:3128', no_proxy: 'example.com' }, 'pass', /^none in use: by no_proxy$/],
    [{ http_proxy: 'http://proxy:3128' }, 'warn', /^none in use: http_proxy is not used/],
  ])('proxy %j: %s', (variables, state, message) => {
    const finding = checkProxy(variables, 'https://pets.example.com/v1');
    expect(finding).toMatchObject({ state, message: expect.stringMatching(message) });
    expect(JSON.stringify(finding)).not.toContain('secret');
  });

  it('a proxy that is no URL fails', () => {
    const variables = { HTTPS_PROXY: 'http://ann:secret@:99999' };
    expect(() => checkProxy(variables, 'https://pets.example.com/v1')).toThrow(
      'The proxy in HTTPS_PROXY is not a URL',
    );
  });

  it('an authority file that cannot be used is a warning, checks turned off a failure', async () => {
    const file = path.join(await makeFolder(), 'ca.pem');
    await writeFile(file, 'no certificate');
    const states = [{}, { NODE_EXTRA_CA_CERTS: file }, { NODE_EXTRA_CA_CERTS: `${file}.not` }].map(
      (variables) => checkCertificates(variables).state,
    );
    expect(states).toEqual(['pass', 'warn', 'warn']);
    expect(() => checkCertificates({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toThrow(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 would let anybody on the network path read the API key.',
    );
  });

  it.each([
    ['2030-09-05T00:00:00Z', 'pass'],
    ['2030-09-06T00:00:00Z', 'warn'],
    ['2030-12-05T00:00:00Z', 'warn'],
  ])('deprecation at %s: %s', (now, state) => {
    expect(checkDeprecation(new Date(now)).state).toBe(state);
  });
});

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFakeKeychain } from '../../support/fake-keychain.ts';
import { createHome, type RunOptions, runPetstore } from '../../support/run-program.ts';

/** A machine that remembers between runs. */
async function openMachine(config?: unknown) {
  const home = await createHome();
  const configFile = path.join(home, '.config', 'petstore', 'config.json');
  if (config !== undefined) {
    await mkdir(path.dirname(configFile), { recursive: true });
    await writeFile(configFile, typeof config === 'string' ? config : JSON.stringify(config));
  }
  return {
    configFile,
    readConfig: async () => JSON.parse(await readFile(configFile, 'utf8')),
    run: (line: string, options: RunOptions = {}) =>
      runPetstore(line.split(' '), { ...options, env: { HOME: home, ...options.env } }),
  };
}

const bothSet = {
  environment: 'production',
  environments: {
    staging: { url: 'https://staging.acme.test/v1' },
    production: { url: 'https://pets.acme.test/v1' },
  },
};

describe('petstore env list', () => {
  it('begins with staging and a protected production, neither with a URL', async () => {
    const { run } = await openMachine();
    const table = [
      '   NAME        PROTECTED  URL',
      '   production  yes        -',
      '*  staging     no         -',
      '',
    ];
    for (const tty of [true, false]) {
      expect(await run('env list', { tty })).toEqual({
        stdout: table.join('\n'),
        stderr: '',
        exitCode: 0,
      });
    }
  });

  it.each([
    [
      '--json',
      '[\n  {"name":"production","url":"https://pets.acme.test/v1","protected":true,"selected":true,"until":null},\n' +
        '  {"name":"staging","url":"https://staging.acme.test/v1","protected":false,"selected":false,"until":null}\n]\n',
    ],
    [
      '--ndjson',
      '{"name":"production","url":"https://pets.acme.test/v1","protected":true,"selected":true,"until":null}\n' +
        '{"name":"staging","url":"https://staging.acme.test/v1","protected":false,"selected":false,"until":null}\n',
    ],
    [
      '--csv',
      'selected,name,protected,url,until\ntrue,production,true,https://pets.acme.test/v1,\n' +
        'false,staging,false,https://staging.acme.test/v1,\n',
    ],
    ['--quiet', 'production\nstaging\n'],
  ])('prints with %s', async (format, stdout) => {
    const { run } = await openMachine(bothSet);
    expect(await run(`env list ${format}`)).toEqual({ stdout, stderr: '', exitCode: 0 });
  });

  it('takes a line for each setting on a narrow screen, so that a URL can be copied', async () => {
    const { run } = await openMachine(bothSet);
    expect((await run('env show', { tty: true, columns: 50 })).stdout).toBe(
      [
        'NAME       production',
        'PROTECTED  yes',
        'SELECTED   yes',
        'KEY        none stored',
        'URL        https://pets.acme.test/v1',
        '',
      ].join('\n'),
    );
  });

  it('works with a broken config file, and says what is wrong with it', async () => {
    const { run, configFile } = await openMachine('{\n  "environment": production\n}');
    const { stdout, stderr, exitCode } = await run('env list --quiet');
    expect({ stdout, exitCode }).toEqual({ stdout: 'production\nstaging\n', exitCode: 0 });
    expect(stderr.split('\n')).toEqual([
      `${configFile} cannot be used`,
      '  not JSON: invalid symbol (line 2, column 18)',
      '  correct it in an editor, or move it away to start with the defaults',
      '',
    ]);
    const { stderr: line } = await run('env list --json');
    expect(JSON.parse(line)).toMatchObject({ type: 'warning', details: expect.any(Array) });
  });

  it('opens no keychain', async () => {
    const { run } = await openMachine(bothSet);
    const keychain = createFakeKeychain();
    await run('env list', { keychain });
    expect(keychain.calls()).toBe(0);
  });
});

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

describe('petstore env set', () => {
  it.each(['constructor', 'prototype', 'a'.repeat(32)])(
    'stores an environment called %s, which no later change loses',
    async (name) => {
      const { run, readConfig } = await openMachine();
      expect((await run(`env show ${name}`)).exitCode).toBe(2);
      await run(`env set ${name} --url https://demo.acme.test/v1`);
      await run('env set other --url https://other.acme.test/v1 --protected');
      await run(`env use ${name}`);
      await run('env remove other');
      expect(await readConfig()).toEqual({
        environment: name,
        environments: { [name]: { url: 'https://demo.acme.test/v1' } },
      });
      expect((await run('env show --json')).stdout).toContain(`{"name":"${name}",`);
    },
  );

  it('creates an environment and changes only what is given', async () => {
    const { run, readConfig } = await openMachine();
    expect(await run('env set demo --url https://demo.pets.test/v1/')).toEqual({
      stdout: '',
      stderr: 'Created demo.\n',
      exitCode: 0,
    });
    expect(await run('env set demo --protected')).toMatchObject({ stderr: 'Changed demo.\n' });
    expect((await readConfig()).environments.demo).toEqual({
      url: 'https://demo.pets.test/v1',
      protected: true,
    });
    await run('env set demo --no-protected --confirm demo');
    expect((await readConfig()).environments.demo.protected).toBe(false);
  });

  it.each(['--protected --no-protected', '--no-protected --protected'])(
    'refuses %s, whose later one would win without a word',
    async (flags) => {
      const { run } = await openMachine(bothSet);
      const { stderr, exitCode } = await run(`env set production ${flags}`);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('--protected has no effect with --no-protected: leave one of them');
    },
  );

  it.each([
    [
      'http to another machine',
      'demo --url http://pets.acme.test/v1',
      'http is for this machine only',
    ],
    ['a user name', 'demo --url https://ann:pw@pets.acme.test/v1', 'user name or password'],
    ['a query', 'demo --url https://pets.acme.test/v1?key=1', 'must not contain a query'],
    ['a fragment', 'demo --url https://pets.acme.test/v1#a', 'must not contain a fragment'],
    ['another ending', 'demo --url https://pets.acme.test/v2', 'must end in /v1'],
    ['another scheme', 'demo --url ftp://pets.acme.test/v1', 'must begin with https://'],
    ['no URL at all', 'demo --url pets', 'not a URL'],
    ['a name in capitals', 'Demo --url https://pets.acme.test/v1', 'lower-case letters'],
    ['a long name', `${'d'.repeat(33)} --url https://pets.acme.test/v1`, 'at most 32'],
    ['a name with a blank', '_ --url https://pets.acme.test/v1', 'cannot name an environment'],
    ['nothing to set', 'staging', 'Say what to set'],
    ['a new environment without a URL', 'demo --protected', 'needs a URL'],
  ])('refuses %s, exit 2, and writes nothing', async (_, words, reason) => {
    const { run, readConfig } = await openMachine({ environment: 'staging' });
    const { stdout, stderr, exitCode } = await run(`env set ${words}`);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain('pw');
    expect(await readConfig()).toEqual({ environment: 'staging' });
  });

  it.each(['http://localhost:8080/v1', 'http://127.0.0.1/v1', 'http://[::1]:1/v1'])(
    'takes plain http to this machine: %s',
    async (url) => {
      const { run } = await openMachine();
      expect((await run(`env set staging --url ${url}`)).exitCode).toBe(0);
    },
  );

  it('points at the place of a fault in the config file and leaves the file alone', async () => {
    const broken = '{\n  "enviroments": {}\n}';
    const { run, configFile } = await openMachine(broken);
    const { stderr, exitCode } = await run('env set staging --url https://a.pets.test/v1');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'enviroments (line 2, column 3) is not a setting. Did you mean environments?',
    );
    expect(await readFile(configFile, 'utf8')).toBe(broken);
  });
});

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

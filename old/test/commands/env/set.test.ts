import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { bothSet, openMachine } from './open-machine.ts';

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

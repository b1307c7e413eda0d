import { describe, expect, it } from 'vitest';
import { createFakeKeychain } from '../../support/fake-keychain.ts';
import { bothSet, openMachine } from './open-machine.ts';

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

import { describe, expect, it } from 'vitest';
import { formatApiKey } from '../../../src/contract/api-key.ts';
import { runPetstore } from '../../support/run-program.ts';

const key = 'sk_live_51H8xGq9';
const own = 'pst_0123456789abcdef';
const whole = formatApiKey(Buffer.alloc(32, 7));

describe('a key written as an argument', () => {
  it.each([
    `auth login ${key}`,
    `auth login ${own} -e staging`,
    `auth ${key}`,
    `login ${key}`,
    `auth login --key ${key}`,
    `auth login --key-stdin=${key}`,
    `auth status --token ${key}`,
    `list --api-key=${key}`,
    `list --apikey ${key} --json`,
    `--password ${key} list`,
    `list ${own} Rex`,
    `get ${own}`,
  ])('%s: says that it must be revoked, and never repeats it', async (line) => {
    const { stdout, stderr, exitCode } = await runPetstore(line.split(' '));
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain('A key cannot be given as an argument.');
    expect(stderr).toContain("it is now in your shell's history: have it revoked");
    expect(stderr).toContain('petstore auth login');
    expect(stderr).not.toContain(key);
    expect(stderr).not.toContain(own);
  });

  it.each([
    ['add', whole],
    ['add', whole, '--category', '7', '--dry-run'],
    ['add', `Rex ${whole}`, '--category', '7'],
    ['list', `--name=${whole}`],
  ])('where the line would fit: %s', async (...words) => {
    const { stdout, stderr, exitCode } = await runPetstore(words);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain('A key cannot be given as an argument.');
    expect(stderr).not.toContain(whole);
  });

  it('a name that only starts like a key is a name', async () => {
    const { stdout } = await runPetstore(['add', `${whole}x`, '--category', '7', '--dry-run'], {
      env: { PETSTORE_STAGING_URL: 'http://127.0.0.1:1/v1' },
    });
    expect(stdout).toContain(`"name":"${whole}x"`);
  });

  it('the value of an unknown option is not repeated either', async () => {
    const { stderr } = await runPetstore(['list', `--pin=${key}`]);
    expect(stderr).toBe("Error: Unknown option '--pin'\nTry:  petstore list --help\n");
  });

  it.each([
    ['auth login --key', "Unknown option '--key'"],
    ['auth login production', 'The environment goes after --env.'],
    ['list Goldie', 'A name to look for goes after --name.'],
  ])('%s has none', async (line, message) => {
    const { stderr } = await runPetstore(line.split(' '));
    expect(stderr).toContain(`Error: ${message}`);
  });
});

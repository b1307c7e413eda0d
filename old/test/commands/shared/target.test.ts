import { describe, expect, it, onTestFinished } from 'vitest';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { createHome, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';

/** Adds Rex to an environment and says what came of it. */
async function add(
  words: string,
  { tty = false, env = {}, answers = [] as boolean[], remembered = '' } = {},
) {
  const service = await startService();
  onTestFinished(() => service.close());
  const HOME = await createHome();
  const variables = {
    HOME,
    // The same service by another name of this machine, which no protection follows.
    PETSTORE_STAGING_URL: service.url.replace('127.0.0.1', 'localhost'),
    PETSTORE_PRODUCTION_URL: service.url,
    PETSTORE_API_KEY: service.key,
    ...env,
  };
  if (remembered) await runPetstore(['env', 'use', remembered], { env: variables });
  const prompt = createFakePrompt(...answers);
  const line = `add Rex --category 1 --quiet ${words}`.trim().split(' ');
  const { stdout, stderr, exitCode } = await runPetstore(line, { tty, env: variables, prompt });
  const { stdout: pets } = await runPetstore(['list', '--json'], {
    env: { ...variables, PETSTORE_ENV: 'production' },
  });
  const added: unknown[] = JSON.parse(pets);
  return { stdout, stderr, exitCode, asked: prompt.asked, added: added.length, url: service.url };
}

describe('a write to a protected environment', () => {
  const named = { PETSTORE_ENV: 'production' };
  it.each([
    { where: 'pipe', words: '--env production --confirm production', added: 1, exit: 0 },
    { where: 'pipe', env: named, words: '--confirm production', added: 1, exit: 0 },
    { where: 'pipe', words: '--env production', added: 0, exit: 3 },
    { where: 'pipe', env: named, words: '', added: 0, exit: 3 },
    { where: 'pipe', remembered: 'production', words: '', added: 0, exit: 3 },
    { where: 'pipe', remembered: 'production', words: '--confirm production', added: 0, exit: 3 },
    { where: 'pipe', words: '--env production --confirm staging', added: 0, exit: 3 },
    { where: 'pipe', words: '--confirm production', added: 0, exit: 3 },
    { where: 'pipe', words: '--env production --dry-run', added: 0, exit: 0 },
    { where: 'terminal', words: '--env production', answers: [true], added: 1, exit: 0 },
    { where: 'terminal', words: '--env production', answers: [false], added: 0, exit: 3 },
    { where: 'terminal', remembered: 'production', words: '', answers: [true], added: 1, exit: 0 },
    { where: 'terminal', words: '--env production --confirm production', added: 1, exit: 0 },
    { where: 'terminal', words: '--env production --no-input', added: 0, exit: 3 },
    { where: 'terminal', env: { ...named, CI: 'true' }, words: '', added: 0, exit: 3 },
    { where: 'terminal', words: '--env production --confirm staging', added: 0, exit: 3 },
  ])('on a $where: "$words" $env $remembered $answers adds $added', async (line) => {
    const result = await add(line.words, {
      tty: line.where === 'terminal',
      env: line.env ?? {},
      answers: line.answers ?? [],
      remembered: line.remembered ?? '',
    });
    expect(result).toMatchObject({ added: line.added, exitCode: line.exit });
    expect(result.asked).toHaveLength(line.answers?.length ?? 0);
  });

  it('shows its target before it asks', async () => {
    const { asked, url } = await add('--env production', { tty: true, answers: [false] });
    expect(asked).toEqual([`Add "Rex" to production (${url})?`]);
  });

  it('is refused with the line that would confirm it', async () => {
    const { stdout, stderr, url } = await add('', { remembered: 'production' });
    expect(stdout).toBe('');
    expect(stderr).toBe(
      'Error: production is protected: a write to it must be confirmed; that it was chosen earlier does not confirm it\n' +
        `  production is ${url}\n` +
        'Try:  petstore add --env production --confirm production Rex --category 1\n',
    );
  });
});

it('the line that would confirm a write keeps its idempotency key: without it the pet may be there twice', async () => {
  const { stderr } = await add('--env production --idempotency-key k1');
  expect(stderr).toContain(
    'Try:  petstore add --env production --confirm production --idempotency-key k1 Rex --category 1\n',
  );
});

it('a write to an unprotected environment is free, and reads of a protected one are', async () => {
  expect(await add('')).toMatchObject({ added: 1, exitCode: 0 });
});

describe('an environment with the base URL of a protected one', () => {
  const production = 'https://pets.acme.test/v1';
  it.each([
    [production, 3],
    ['https://PETS.acme.test:443/v1/', 3],
    ['https://pets.acme.test./v1', 3],
    ['https://pets.acme.test//v1', 3],
    ['https://pets.acme.test/x/../%761/../v1', 3],
    ['https://pets.acme.test/other/v1', 0],
    ['https://pets.acme.test:8443/v1', 0],
    ['https://staging.acme.test/v1', 0],
  ])('%s: a write to it exits with %i', async (url, exit) => {
    const env = { PETSTORE_PRODUCTION_URL: production, PETSTORE_STAGING_URL: url };
    const line = ['add', 'Rex', '--category', '1', '--env', 'staging'];
    // A dry run sends nothing and asks for nothing, so the write itself has no key to go with.
    const { exitCode, stderr } = await runPetstore(line, { env });
    expect(exitCode).toBe(exit === 0 ? 4 : exit);
    if (exit === 3) {
      expect(stderr).toContain('staging is protected: a write to it must be confirmed');
      expect(stderr).toContain('petstore add --env staging --confirm staging Rex --category 1');
    }
    const confirmed = await runPetstore([...line, '--confirm', 'staging'], { env });
    expect(confirmed.exitCode).toBe(4);
    expect((await runPetstore([...line, '--confirm', 'production'], { env })).exitCode).toBe(3);
  });

  it('is protected by what the config file says too, whichever of them it names', async () => {
    const HOME = await createHome();
    const run = (line: string) => runPetstore(line.split(' '), { env: { HOME } });
    await run(`env set live --url ${production} --protected`);
    const { stderr } = await run(`env set demo --url ${production} --no-protected`);
    expect(stderr).toBe(
      'Created demo.\ndemo and live have the same base URL. Writes to each of them must be confirmed.\n',
    );
    expect((await run('add Rex --category 1 -e demo')).exitCode).toBe(3);
    expect((await run('env list --ndjson')).stdout).toContain(
      `{"name":"demo","url":"${production}","protected":true,"selected":false,"until":null}`,
    );
    const explained = JSON.parse((await run('env show demo --explain --json')).stdout);
    expect(explained).toContainEqual({
      setting: 'protected',
      value: 'true',
      source: expect.objectContaining({ kind: 'config', member: 'environments.live.url' }),
      overridden: [
        expect.objectContaining({ value: 'false' }),
        { value: 'false', source: { kind: 'default' } },
      ],
    });
  });
});

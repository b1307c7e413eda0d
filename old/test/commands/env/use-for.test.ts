import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatUntil } from '../../../src/terminal/text/time.ts';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { createHome, type RunOptions, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';

const start = new Date('2026-11-20T09:30:00.000Z');
const end = new Date('2026-11-20T10:00:00.000Z');
const minutes = (count: number) => new Date(start.getTime() + count * 60_000);

/** A machine with a service for each environment, on which `env use production --for 30m` was said at the start. */
async function openMachine() {
  const [staging, production] = await Promise.all([startService(), startService()]);
  onTestFinished(() => Promise.all([staging.close(), production.close()]).then(() => {}));
  const HOME = await createHome();
  const env = {
    HOME,
    PETSTORE_STAGING_URL: staging.url,
    PETSTORE_STAGING_API_KEY: staging.key,
    PETSTORE_PRODUCTION_URL: production.url,
    PETSTORE_PRODUCTION_API_KEY: production.key,
  };
  const run = (line: string, clock: RunOptions['clock'] = start, options: RunOptions = {}) =>
    runPetstore(line.split(' '), {
      ...options,
      ...(clock && { clock }),
      env: { ...env, ...options.env },
    });
  const count = async () => {
    const counts = ['staging', 'production'].map((name) => run(`list --count -e ${name}`));
    return (await Promise.all(counts)).map(({ stdout }) => Number(stdout));
  };
  const used = await run('env use production --for 30m');
  const configFile = path.join(HOME, '.config/petstore/config.json');
  const readConfig = async () => JSON.parse(await readFile(configFile, 'utf8'));
  return {
    run,
    count,
    used,
    readConfig,
    urls: { staging: staging.url, production: production.url },
  };
}

describe('env use --for', () => {
  it('says until when, and is said by every header and by env list until then', async () => {
    const { run, used, readConfig, urls } = await openMachine();
    const until = formatUntil(end, start);
    expect(used).toEqual({
      stdout: '',
      stderr: `Using production until ${until}. It is protected: a write to it must still name it.\n`,
      exitCode: 0,
    });
    expect(await readConfig()).toEqual({
      temporary: { environment: 'production', until: end.toISOString() },
    });
    const { stderr } = await run('list', minutes(29), { tty: true, columns: 120 });
    expect(stderr).toContain(`production · ${urls.production} · protected · until ${until}\n`);
    expect((await run('env list', minutes(29))).stdout).toMatch(
      new RegExp(`^ +NAME +PROTECTED +URL +UNTIL\n\\* +production +yes +http\\S+ +${until}\n`),
    );
    expect(JSON.parse((await run('env list --json', minutes(29))).stdout)).toMatchObject([
      { name: 'production', selected: true, until: end.toISOString() },
      { name: 'staging', selected: false, until: null },
    ]);
    expect((await run('env show', minutes(29))).stdout).toContain(`yes, until ${until}`);
  });

  it('ends by itself: the first command says so, once, and acts on the choice before', async () => {
    const { run } = await openMachine();
    const first = await run('env show --quiet', minutes(33));
    expect(first).toEqual({
      stdout: 'staging\n',
      stderr: 'production ended 3 min ago; now staging\n',
      exitCode: 0,
    });
    expect((await run('env show --quiet', minutes(34))).stderr).toBe('');
    await run('env use production --for 1m', minutes(40));
    expect((await run('env list --json', minutes(45))).stderr).toBe(
      '{"type":"warning","message":"production ended 4 min ago; now staging","environment":"staging","until":"2026-11-20T10:11:00.000Z"}\n',
    );
  });

  it('is not announced where a flag or the variable names the environment', async () => {
    const { run } = await openMachine();
    const env = { PETSTORE_ENV: 'staging' };
    expect((await run('list --count -e staging', minutes(33))).stderr).toBe('');
    expect((await run('list --count', minutes(33), { env })).stderr).toBe('');
    expect((await run('list --count', minutes(33))).stderr).toContain('production ended 3 min ago');
  });

  it.each([false, true])(
    'the first write afterwards is refused, not sent to staging, until a place is named (terminal: %s)',
    async (tty) => {
      const { run, count } = await openMachine();
      const refused = await run('add Rex --category 7', minutes(33), {
        tty,
        prompt: createFakePrompt(),
      });
      expect(refused.exitCode).toBe(3);
      expect(refused.stderr).toContain('production ended 3 min ago; now staging\n');
      expect(refused.stderr).toContain(
        [
          'Error: production ended 3 min ago; a write must now say where it goes',
          '  nothing was sent',
          '  petstore env use <name> chooses an environment again',
          'Try:  petstore add --env staging Rex --category 7',
          '      petstore add --env production --confirm production Rex --category 7',
          '',
        ].join('\n'),
      );
      expect((await run('add Rex --category 7 --confirm staging', minutes(34))).exitCode).toBe(3);
      expect(await count()).toEqual([0, 0]);
      expect((await run('add Rex --category 7 --env staging', minutes(34))).exitCode).toBe(0);
      expect((await run('add Max --category 7', minutes(35))).exitCode).toBe(3);
      await run('env use staging', minutes(36));
      expect((await run('add Max --category 7', minutes(37))).exitCode).toBe(0);
      expect(await count()).toEqual([2, 0]);
    },
  );

  it('is refused before anything is asked', async () => {
    const { run } = await openMachine();
    const prompt = createFakePrompt();
    const { stderr, exitCode } = await run('add', minutes(33), { tty: true, prompt });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('petstore add --env staging\n');
    expect(prompt.asked).toEqual([]);
  });

  it.each([
    ['add Rex --category 7', [true]],
    ['add', ['Rex', '7', 'available', true]],
    ['import FILE', ['production']],
  ])('an end while `%s` waits at its last prompt is refused', async (line, answers) => {
    const { run, count } = await openMachine();
    const prompt = createFakePrompt(...answers);
    // Every answer takes seven minutes; the last one comes after the end.
    const clock = () =>
      minutes(prompt.asked.length === answers.length ? 31 : prompt.asked.length * 7);
    const options = { tty: true, prompt, columns: 120 };
    const file = path.join(await createHome(), 'delivery.csv');
    await writeFile(file, 'name,categoryId\nRex,7\n');
    const { stderr, exitCode } = await run(line.replace('FILE', file), clock, options);
    expect(prompt.asked).toHaveLength(answers.length);
    expect(stderr).toContain('Error: production ended 1 min ago');
    if (line !== 'import FILE')
      expect(stderr).toMatch(/petstore add --env production --confirm production Rex --category 7/);
    expect(exitCode).toBe(3);
    expect(await count()).toEqual([0, 0]);
  });

  it('doctor does not say an end that is over', async () => {
    const { run } = await openMachine();
    await run('env use production');
    await run('env use production --for 30m');
    const until = ` · until ${formatUntil(end, start)}`;
    expect((await run('doctor --offline', minutes(29))).stdout).toContain(until);
    expect((await run('doctor --offline', minutes(31))).stdout).not.toContain(until);
  });

  it('a choice without a time limit ends it, and so does removing what it names', async () => {
    const { run, readConfig } = await openMachine();
    await run('env use staging');
    expect(await readConfig()).toEqual({ environment: 'staging' });
    await run('env set demo --url https://demo.acme.test/v1');
    await run('env use demo --for 5m');
    expect((await run('env remove demo')).stderr).toContain('now it is staging.');
    expect(await readConfig()).toEqual({ environment: 'staging', environments: {} });
  });

  it.each(['0m', '30', '8d', 'soon'])('refuses %s', async (period) => {
    const { run } = await openMachine();
    expect((await run(`env use staging --for ${period}`)).exitCode).toBe(2);
  });
});

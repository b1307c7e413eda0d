import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { inHours, openLossyMachine, openPlainMachine } from './support.ts';

const add = 'add Rex --category 7 --retries 0';

describe('history settle', () => {
  it('sends adds of unknown outcome again: each pet is there once', async () => {
    const { run, proxy, listNames } = await openLossyMachine();
    expect(await run(add)).toMatchObject({ exitCode: 9 });
    expect(await run('add Luna --category 7 --retries 0')).toMatchObject({ exitCode: 9 });
    proxy.mend();
    expect(await run('history settle')).toEqual({
      stdout: [
        'ID  TIME                      ENVIRONMENT  WRITE                   SETTLED',
        ' 1  2026-11-20T09:00:00.000Z  staging      add "Rex", category 7   was there: added as 1',
        ' 2  2026-11-20T09:00:00.000Z  staging      add "Luna", category 7  was there: added as 2',
        '',
      ].join('\n'),
      stderr: 'Settled 2 writes to staging.\n',
      exitCode: 0,
    });
    expect(await listNames()).toEqual(['Rex', 'Luna']);
    expect((await run('history settle')).stderr).toBe(
      'No write from this machine to staging is of unknown outcome.\n',
    );
  });

  it('settles one line alone, and says that it is settled', async () => {
    const { run, proxy } = await openLossyMachine();
    await run(add);
    await run(add);
    proxy.mend();
    expect((await run('history settle 2 -q')).stdout).toBe('2\n');
    expect((await run('history settle 2')).stderr).toContain('The outcome of line 2 is known');
    expect((await run('history settle -q')).stdout).toBe('1\n');
  });

  it('leaves nothing to settle when the line that was offered ran', async () => {
    const { run, proxy, listNames } = await openLossyMachine();
    const { stderr } = await run('add Rex --category 7 --retries 1');
    const [, rerun = ''] = /^Try: +petstore (.*)$/m.exec(stderr) ?? [];
    proxy.mend();
    expect(await run(rerun)).toMatchObject({ exitCode: 0 });
    expect((await run('history settle')).stderr).toContain('No write');
    expect(await listNames()).toEqual(['Rex']);
  });

  it.each([
    ['shortly before the service forgets', 7 * 24 - 2, 0, /was there: added as 1/],
    ['later than it promised, less an hour', 7 * 24 - 0.5, 9, /no longer recognizes/],
    ['when the clock was set back', -1, 9, /at a time that is still to come/],
  ])('%s', async (_, hours, exitCode, said) => {
    const { run, proxy, listNames } = await openLossyMachine();
    await run(add);
    proxy.mend();
    const settled = await run('history settle', { clock: inHours(hours) });
    expect(settled.exitCode).toBe(exitCode);
    expect(settled.stdout).toMatch(said);
    expect(await listNames()).toEqual(['Rex']);
  });

  it('counts from the first use of an idempotency key', async () => {
    const { run, proxy, listNames } = await openLossyMachine();
    await run(`${add} --idempotency-key k1`);
    await run(`${add} --idempotency-key k1`, { clock: inHours(6 * 24) });
    proxy.mend();
    const { stdout } = await run('history settle', { clock: inHours(8 * 24) });
    expect(stdout.match(/no longer recognizes/g)).toHaveLength(2);
    expect(await listNames()).toEqual(['Rex']);
  });

  it('sends nothing to a service without idempotency keys, and says so', async () => {
    const { run, countAdds } = await openPlainMachine();
    await run(add);
    expect(countAdds()).toBe(1);
    const { stdout, stderr, exitCode } = await run('history settle');
    expect(exitCode).toBe(9);
    expect(stdout).toContain('unknown: staging does not honor idempotency keys');
    expect(stderr).toBe(
      [
        'Error: The outcome of a write to staging is still unknown',
        '  staging does not honor idempotency keys',
        '  look for the pet before you add it again',
        'Try:  petstore list --env staging --all --name Rex',
        '',
      ].join('\n'),
    );
    expect(countAdds()).toBe(1);
  });

  it('sends nothing either when the service honors keys only since then', async () => {
    const { run, countAdds, upgrade } = await openPlainMachine();
    await run(add);
    await run('history settle');
    upgrade();
    const { stdout } = await run('history settle');
    expect(stdout).toContain('the service did not honor its idempotency key');
    expect(countAdds()).toBe(1);
  });

  it('reports what went to another URL of this environment, and counts other environments', async () => {
    const { run, proxy, service, listNames } = await openLossyMachine();
    await run(add);
    await run(add, { env: { PETSTORE_DEMO_URL: 'http://127.0.0.1:2/v1', PETSTORE_ENV: 'demo' } });
    await run(`${add} -e other`, { env: { PETSTORE_OTHER_URL: proxy.url } });
    proxy.mend();
    const moved = { PETSTORE_STAGING_URL: service.url };
    const { stdout, stderr, exitCode } = await run('history settle', { env: moved });
    expect(stdout).toContain(`it was sent to ${proxy.url}`);
    expect(stderr).toContain('1 more in other: petstore history settle --env other');
    expect(exitCode).toBe(9);
    const line = await run('history settle 3', { env: moved });
    expect(line.exitCode).toBe(2);
    expect(line.stderr).toContain('Line 3 of the history was sent to other');
    expect(await listNames()).toEqual(['Rex', 'Rex']);
  });

  it('says what the service refuses', async () => {
    const { run, proxy } = await openLossyMachine();
    await run(`${add} --idempotency-key k1`);
    await run('add Luna --category 7 --retries 0 --idempotency-key k1');
    proxy.mend();
    const { stdout, exitCode } = await run('history settle --ndjson');
    expect(stdout).toContain('"settlement":"already_added"');
    expect(stdout).toMatch(
      /"outcome":"not_applied".*idempotency_mismatch.*"settlement":"rejected"/,
    );
    expect(exitCode).toBe(0);
  });

  it('stays unknown while no response arrives, and the next ones are left', async () => {
    const { run, proxy, listNames } = await openLossyMachine();
    await run(add);
    await run('add Luna --category 7 --retries 0');
    const lost = proxy.lost();
    const { stdout, stderr, exitCode } = await run('history settle --retries 0');
    expect(stderr).toMatch(/adds no pet twice\nTry: {2}petstore history settle --env staging\n/);
    expect(stdout.match(/unknown: /g)).toHaveLength(2);
    expect(exitCode).toBe(9);
    expect(proxy.lost()).toBe(lost + 1);
    expect(await listNames()).toEqual(['Rex', 'Luna']);
  });
});

describe('history settle in a protected environment', () => {
  async function loseInProduction() {
    const machine = await openLossyMachine();
    const options = {
      env: { PETSTORE_PRODUCTION_URL: machine.proxy.url, PETSTORE_STAGING_URL: '' },
    };
    await machine.run(`${add} -e production --confirm production`, options);
    machine.proxy.mend();
    return { ...machine, options };
  }

  it('is confirmed as any other write', async () => {
    const { run, options } = await loseInProduction();
    const refused = await run('history settle -e production', options);
    expect(refused.exitCode).toBe(3);
    const [, line = ''] = /^Try: +petstore (.*)$/m.exec(refused.stderr) ?? [];
    expect(await run(line, options)).toMatchObject({ exitCode: 0 });
  });

  it('on a terminal it asks, and no sends nothing', async () => {
    const { run, options, proxy } = await loseInProduction();
    const no = createFakePrompt(false);
    const tty = { ...options, tty: true };
    expect(await run('history settle -e production', { ...tty, prompt: no })).toMatchObject({
      exitCode: 3,
    });
    expect(no.asked).toEqual([`Send 1 add of unknown outcome again to production (${proxy.url})?`]);
    const yes = createFakePrompt(true);
    expect(await run('history settle -e production', { ...tty, prompt: yes })).toMatchObject({
      exitCode: 0,
    });
  });
});

describe('history settle and imports', () => {
  it('names the line that resumes an import', async () => {
    const { run, proxy, HOME, listNames } = await openLossyMachine();
    const file = path.join(HOME, 'two.csv');
    await writeFile(file, 'name,categoryId\nA,1\nB,2\n');
    expect(await run(`import ${file} --retries 0 --concurrency 1`)).toMatchObject({ exitCode: 9 });
    proxy.mend();
    const { stdout, stderr, exitCode } = await run('history settle');
    expect(stdout).toMatch(/import .*two\.csv +unknown, unfinished; can be resumed/);
    expect(exitCode).toBe(10);
    const [, line = ''] = /^Try: +petstore (import --resume .*)$/m.exec(stderr) ?? [];
    expect(await run(line)).toMatchObject({ exitCode: 0 });
    expect((await run('history settle')).stderr).toContain('No write');
    expect((await run('history')).stdout).toContain('2 of 2 added\n');
    expect((await listNames()).sort()).toEqual(['A', 'B']);
  });
});

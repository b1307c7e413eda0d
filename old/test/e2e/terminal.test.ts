import { describe, expect, it, onTestFinished } from 'vitest';
import { canRun } from '../support/can-run.ts';
import { startHttpServer } from '../support/http-server.ts';
import { startService } from '../support/service.ts';
import { openShell } from '../support/shell.ts';
import { stagingAt } from '../support/staging.ts';

async function startStaging() {
  const service = await startService({ pets: [{ name: 'Bello', categoryId: 12n }] });
  onTestFinished(() => service.close());
  return { service, env: stagingAt(service.url, service.key) };
}

describe.skipIf(!canRun('tmux'))('add in a real terminal', () => {
  it('asks for name, category and status, and adds', async () => {
    const { service, env } = await startStaging();
    const shell = await openShell(env);
    await shell.run('petstore add');
    await shell.waitForText('? Name');
    await shell.answer('Rex');
    await shell.waitForText('? Category number');
    await shell.answer('7');
    await shell.waitForText('? Status');
    await shell.press('Down', 'Enter');
    await shell.waitForText('Another? name, or Enter to stop');
    await shell.press('Enter');
    const shown = await shell.waitForText('exit 0');
    expect(shown).toContain(`staging · ${service.url}`);
    expect(shown).toContain('Added pet 2 to staging.');
    expect(shown).toMatch(/ 2 {2}Rex {10}7 {2}pending/);
  });

  it('says what is wrong with an answer while it can still be changed', async () => {
    const { env } = await startStaging();
    const shell = await openShell(env);
    await shell.run('petstore add Rex --status sold');
    await shell.waitForText('? Category number');
    await shell.answer('cats');
    await shell.waitForText('A category is a whole number, such as 7');
    await shell.press('BSpace', 'BSpace', 'BSpace', 'BSpace');
    await shell.answer('7');
    await shell.waitForText('exit 0');
  });

  it.each(['Name', 'Category number', 'Status'])(
    'Ctrl-C at the question for %s: 130, nothing sent, the terminal as before',
    async (question) => {
      const { env } = await startStaging();
      const shell = await openShell(env);
      await shell.run('petstore add');
      await shell.waitForText('? Name');
      if (question !== 'Name') {
        await shell.answer('Rex');
        await shell.waitForText('? Category number');
      }
      if (question === 'Status') {
        await shell.answer('7');
        await shell.waitForText('? Status');
      }
      await shell.press('C-c');
      const shown = await shell.waitForText('exit 130');
      expect(shown).toContain('Stopped; nothing was added.');
      expect(shown).not.toMatch(/at .*\.js/);
      await shell.run('stty -a | grep -o " -\\?\\(echo\\|icanon\\) "; petstore list -q');
      const after = await shell.waitForText('exit 0');
      expect(after).toMatch(/^ ?icanon/m);
      expect(after).toMatch(/^ ?echo/m);
      expect(after).toMatch(/^1$/m);
    },
  );

  it('Ctrl-C after the request has left: 130, with the line that looks for it where no repetition is known to be safe', async () => {
    const server = await startHttpServer(() => {});
    const shell = await openShell(stagingAt(server.url));
    await shell.run('petstore add Rex --category 7 --idempotency-key k1');
    await shell.waitForText('staging · ');
    await expect.poll(() => server.requests, { timeout: 10_000 }).toEqual(['POST /v1/pets']);
    await shell.press('C-c');
    const shown = await shell.waitForText('exit 130');
    expect(shown).toContain('the pet may or may not have been added');
    expect(shown).toContain('petstore list --env staging --all --name Rex');
  });

  it('a protected environment is confirmed by a question, to which Enter says no', async () => {
    const { service } = await startStaging();
    const shell = await openShell({
      PETSTORE_PRODUCTION_URL: service.url,
      PETSTORE_API_KEY: service.key,
    });
    await shell.run('petstore add Rex --category 7 -e production');
    await shell.waitForText('to production');
    await shell.press('Enter');
    const shown = await shell.waitForText('exit 3');
    expect(shown).toContain('nothing was sent');
  });
});

describe.skipIf(!canRun('tmux'))('list in a real terminal', () => {
  it('fits the terminal', async () => {
    const service = await startService({ pets: [{ name: 'x'.repeat(200), categoryId: 1n }] });
    onTestFinished(() => service.close());
    const shell = await openShell(stagingAt(service.url, service.key));
    await shell.run('petstore list');
    const shown = await shell.waitForText('exit 0');
    const row = shown.split('\n').find((line) => line.includes('xxx'));
    expect(row).toMatch(/^ 1 {2}x{74}… {9}1 {2}available$/);
  });
});

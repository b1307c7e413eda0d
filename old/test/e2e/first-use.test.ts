import { describe, expect, it, onTestFinished } from 'vitest';
import { windowsProgram } from '../support/built-program.ts';
import { canRun } from '../support/can-run.ts';
import { chosenScreens, sitDown, words } from '../support/clerk.ts';
import { startService } from '../support/service.ts';
import { stagingAt } from '../support/staging.ts';

const names = ['Rex', 'Bella', 'Luna', 'Milo', 'Coco'];
async function startStaging() {
  const service = await startService();
  onTestFinished(() => service.close());
  return service;
}

describe.skipIf(!canRun('tmux'))('the first five minutes', () => {
  it.each(chosenScreens)(
    'nothing configured, to five pets: $columns columns, $env',
    async (screen) => {
      const service = await startStaging();
      const { enter, see, keep, count } = await sitDown(screen);
      await enter('petstore add');
      await see(words('staging is not set up on this computer yet.'));
      await see('Address (URL) of the service:');
      await enter(service.url.replace('http://', '').replace('/v1', ''));
      await see(words('API key for staging (it is not shown):'));
      await enter(service.key);
      // Windows always has one.
      if (windowsProgram === undefined) {
        await see(words('This computer has no keychain.'));
        await see(screen.columns === 40 ? 'on)?' : /\(y\/N\)|Enter\s+for\s+no:/);
        await enter('y');
      }
      await see('Name');
      const [first = '', ...others] = names;
      await enter(first);
      await see('Category number');
      await enter('7');
      await see('pending');
      await enter();
      for (const [index, name] of others.entries()) {
        await see(words(`Added pet ${index + 1} to staging.`));
        await see(/Another\?.*:\s*$/s);
        await enter(name);
      }
      await see('Added pet 5 to staging.');
      await see(/Coco.*Another\?.*:\s*$/s);
      await enter();
      expect(await see('exit 0')).not.toContain(service.key);
      await keep('nothing configured, to five pets');
      expect(count.enters).toBeLessThanOrEqual(12);
    },
  );

  it.each(chosenScreens)('a wrong key: $columns columns, $env', async (screen) => {
    const service = await startStaging();
    const { enter, see, keep, count } = await sitDown(
      screen,
      stagingAt(service.url, 'wrong-key-1234'),
    );
    await enter('petstore add');
    const shown = await see('exit 4');
    expect(shown).toMatch(words('The API key for staging was not accepted.'));
    expect(shown).not.toContain('Name');
    await keep('a wrong key');
    expect(count.enters).toBe(1);
  });

  it.each(chosenScreens)('the service is down: $columns columns, $env', async (screen) => {
    const { enter, see, keep, count } = await sitDown(screen, stagingAt('http://127.0.0.1:1/v1'));
    await enter('petstore add --retries 0');
    const shown = await see('exit 8');
    expect(shown).toMatch(words('staging cannot be reached'));
    expect(shown).not.toContain('Name');
    await keep('the service is down');
    expect(count.enters).toBe(1);
  });
});

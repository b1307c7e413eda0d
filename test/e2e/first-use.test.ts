import { appendFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canRun } from '../support/can-run.ts';
import { startService } from '../support/service.ts';
import { openShell } from '../support/shell.ts';
import { stagingAt } from '../support/staging.ts';

const names = ['Rex', 'Bella', 'Luna', 'Milo', 'Coco'];
const screens = [
  { columns: 40, env: { NO_COLOR: '1' } },
  { columns: 80, env: {} },
  { columns: 200, env: {} },
  { columns: 80, env: { ACCESSIBLE: '1' } },
];
// All of them with `npm run test:screens`, which also records what was seen; the narrowest and the plainest else.
const record = process.env.PETSTORE_TEST_RECORD;
const chosen = record ? screens : screens.filter((_, index) => index % 3 === 0);

interface Screen {
  columns: number;
  env: Record<string, string>;
}

/** A person at a shell, whose keys are counted. */
async function sitDown({ columns, env }: Screen, more: Record<string, string> = {}) {
  const shell = await openShell({ ...env, ...more }, columns);
  const count = { keys: 0, enters: 0 };
  return {
    count,
    async enter(text = '') {
      await shell.type(text);
      await shell.press('Enter');
      count.keys += text.length + 1;
      count.enters += 1;
    },
    async see(text: string | RegExp) {
      const shown = await shell.waitForText(text);
      expect(shown.split('\n').filter((line) => line.length > columns)).toEqual([]);
      return shown;
    },
    async keep(title: string) {
      const shown = await shell.read();
      const head = `== ${title}, ${columns} columns ${JSON.stringify(env)}: ${JSON.stringify(count)}`;
      if (record) await appendFile(record, `${head}\n${shown}\n\n`);
    },
  };
}

/** Words of a message, wherever its lines are broken. */
function words(text: string): RegExp {
  return new RegExp(text.replace(/[.?()]/g, '\\$&').replaceAll(' ', '\\s+'));
}

async function startStaging() {
  const service = await startService();
  onTestFinished(() => service.close());
  return service;
}

describe.skipIf(!canRun('tmux'))('the first five minutes', () => {
  it.each(chosen)('nothing configured, to five pets: $columns columns, $env', async (screen) => {
    const service = await startStaging();
    const { enter, see, keep, count } = await sitDown(screen);
    await enter('petstore add');
    await see(words('staging is not set up on this computer yet.'));
    await see('Address of the service:');
    await enter(service.url.replace('http://', '').replace('/v1', ''));
    await see(words('API key for staging (it is not shown):'));
    await enter(service.key);
    await see(words('This computer has no keychain.'));
    await see(screen.columns === 40 ? 'on)?' : /\(y\/N\)|Enter\s+for\s+no:/);
    await enter('y');
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
  });

  it.each(chosen)('a wrong key: $columns columns, $env', async (screen) => {
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

  it.each(chosen)('the service is down: $columns columns, $env', async (screen) => {
    const { enter, see, keep, count } = await sitDown(screen, stagingAt('http://127.0.0.1:1/v1'));
    await enter('petstore add --retries 0');
    const shown = await see('exit 8');
    expect(shown).toMatch(words('staging cannot be reached'));
    expect(shown).not.toContain('Name');
    await keep('the service is down');
    expect(count.enters).toBe(1);
  });
});

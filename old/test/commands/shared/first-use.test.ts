import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import { createFakeKeychain } from '../../support/fake-keychain.ts';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { createHome, type RunOptions, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';

async function startNew(options: RunOptions = {}) {
  const service = await startService({ pets: [{ name: 'Rex', categoryId: 7n }] });
  onTestFinished(() => service.close());
  const env = { HOME: await createHome(), ...options.env };
  const keychain = createFakeKeychain();
  // Wide enough for every message to stay on one line.
  const shared = { tty: true, columns: 200, keychain, ...options, env };
  return {
    service,
    config: async () =>
      JSON.parse(await readFile(path.join(env.HOME, '.config/petstore/config.json'), 'utf8')),
    run: async (line: string, ...answers: (string | boolean)[]) => {
      const prompt = createFakePrompt(...answers);
      const run = await runPetstore(line.split(' '), { ...shared, prompt });
      return { ...run, asked: prompt.asked };
    },
  };
}

const urlQuestion = 'Address (URL) of the service:';
const keyQuestion = 'API key for staging (it is not shown):';

describe('a terminal on which nothing is configured', () => {
  it('asks for URL and key, stores them, and goes on with what was asked', async () => {
    const { service, run } = await startNew();
    const first = await run('list', service.url, ` ${service.key}\n`);
    expect(first).toEqual({
      stdout: 'ID  NAME  CATEGORY  STATUS\n 1  Rex          7  available\n',
      stderr: [
        'staging is not set up on this computer yet. Whoever runs your pet store gives you its address (URL) and an API key.',
        `Stored the API key ending ${service.key.slice(-4)} for staging in the OS keychain.`,
        `staging · ${service.url}`,
        '',
      ].join('\n'),
      exitCode: 0,
      asked: [urlQuestion, keyQuestion],
    });
    expect(await run('list -q')).toMatchObject({ stdout: '1\n', stderr: '', asked: [] });
  });

  it('takes an address as people say it', async () => {
    const { service, run, config } = await startNew();
    const { host } = new URL(service.url);
    expect(await run('list -q', ` ${host} `, service.key)).toMatchObject({ exitCode: 0 });
    expect(await config()).toMatchObject({ environments: { staging: { url: service.url } } });
  });

  it.each([
    ['list --json', 0],
    ['get 1', 0],
    ['add Luna --category 7', 0],
    ['import --dry-run -', 3],
  ])('before %s', async (line, exitCode) => {
    const { service, run } = await startNew();
    expect(await run(line, service.url, service.key)).toMatchObject({ exitCode });
  });

  it('a login asks for the URL first', async () => {
    const { service, run } = await startNew();
    const { asked } = await run('auth login', service.url, service.key);
    expect(asked).toEqual([urlQuestion, `API key for staging (${service.url}):`]);
  });

  it('a dry run needs no key', async () => {
    const { service, run } = await startNew();
    const { asked, exitCode } = await run('add Rex --category 7 --dry-run', service.url);
    expect({ asked, exitCode }).toEqual({ asked: [urlQuestion], exitCode: 0 });
  });

  it('asks only for the key where the URL is known, and for nothing where a variable has it', async () => {
    const { service, run } = await startNew();
    await run(`env set staging --url ${service.url}`);
    expect(await run('list -q', service.key)).toMatchObject({ asked: [keyQuestion], exitCode: 0 });
    const env = { PETSTORE_STAGING_URL: service.url, PETSTORE_API_KEY: service.key };
    expect(await (await startNew({ env })).run('list -q')).toMatchObject({ asked: [] });
  });

  it('a key for another origin is not asked for again: the URL may be mistyped', async () => {
    const { service, run } = await startNew();
    await run('list -q', service.url, service.key);
    const other = await startHttpServer(respondJson(200, '[]'));
    await run(`env set staging --url ${other.url}`);
    expect(await run('list')).toMatchObject({ asked: [], exitCode: 4 });
    expect(other.requests).toEqual([]);
  });
});

describe('a mistake in the conversation is asked about again', () => {
  it('an address where no pet store responds', async () => {
    const { service, run } = await startNew();
    const { asked, stderr } = await run(
      'list -q',
      'http://127.0.0.1:1/v1',
      service.url,
      service.key,
    );
    expect(asked).toEqual([urlQuestion, urlQuestion, keyQuestion]);
    expect(stderr).toMatch(/^No pet store responds at http:\/\/127\.0\.0\.1:1\/v1: .*refused/m);
  });

  it('a key that is not accepted, three times', async () => {
    const { service, run } = await startNew();
    const { stderr, asked, exitCode } = await run(
      'list',
      service.url,
      'wrong key',
      'wrong-key',
      '',
    );
    expect({ exitCode, questions: asked.length }).toEqual({ exitCode: 2, questions: 4 });
    expect(stderr).toContain('The API key for staging was not accepted.\n');
    const again = await run('list -q', 'wrong-key', service.key);
    expect(again).toMatchObject({ stdout: '1\n', exitCode: 0, asked: [keyQuestion, keyQuestion] });
  });

  it.each([
    ['https://pets.example.com/v1', 'https://pets.example.com/v1 is only an example'],
    ['example.org', 'https://example.org/v1 is only an example'],
    ['http://pets.test/v1', 'plain http would send the API key readable'],
    ['ann:secret@pets.test', 'must begin with https://'],
    ['my pets', 'not a URL'],
    ['', 'not a URL'],
  ])('%j: %s', async (typed, reason) => {
    const { service } = await startNew();
    const prompt = createFakePrompt(service.url, service.key);
    const heard: unknown[] = [];
    const askText: typeof prompt.askText = (message, options) => {
      heard.push(options?.check?.(typed), options?.check?.(service.url));
      return prompt.askText(message, options);
    };
    const keychain = createFakeKeychain();
    await runPetstore(['list'], { tty: true, keychain, prompt: { ...prompt, askText } });
    expect(heard).toEqual([expect.stringContaining(reason), undefined]);
    expect(String(heard[0])).not.toContain('secret');
  });
});

describe('without a keychain', () => {
  const failure = new UserError('cli_keychain_unavailable', 'There is no OS keychain here');
  const keychain = createFakeKeychain({ failure });

  it('the key is stored in a file when the person agrees', async () => {
    const { service, run } = await startNew({ keychain });
    const { asked, stderr } = await run('list -q', service.url, service.key, true);
    expect(asked[2]).toMatch(/^This computer has no keychain\. Store the key in a file/);
    expect(stderr).not.toContain(service.key);
    expect(await run('list -q')).toMatchObject({ stdout: '1\n', asked: [] });
  });

  it('and nowhere when not', async () => {
    const { service, run } = await startNew({ keychain });
    expect(await run('list -q', service.url, service.key, false)).toMatchObject({ exitCode: 4 });
  });
});

describe('off a terminal', () => {
  it.each([{ tty: false }, { tty: true, env: { CI: 'true' } }])(
    'the two lines that configure it are said: %j',
    async (options) => {
      const { run } = await startNew(options);
      expect(await run('list')).toMatchObject({
        asked: [],
        exitCode: 2,
        stderr: [
          'Error: The environment staging has no URL yet',
          '  two lines set it up; whoever runs the service gives you its URL and an API key',
          '  or set PETSTORE_STAGING_URL and PETSTORE_STAGING_API_KEY',
          'Try:  petstore env set staging --url https://pets.example.com/v1',
          '      petstore auth login --env staging',
          '',
        ].join('\n'),
      });
    },
  );

  it('the URL of the example is refused as such', async () => {
    const { run } = await startNew({ tty: false });
    const { stderr, exitCode } = await run('env set staging --url https://pets.example.com/v1');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('https://pets.example.com/v1 is only an example\n');
  });
});

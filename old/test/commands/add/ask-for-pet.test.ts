import { describe, expect, it } from 'vitest';
import { checkName } from '../../../src/commands/add/ask-for-pet.ts';
import { formatApiKey } from '../../../src/contract/api-key.ts';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { runPetstore } from '../../support/run-program.ts';
import { stagingAt } from '../../support/staging.ts';
import { addAsking, startStaging } from './add-asking.ts';

describe('the category is one field', () => {
  it('with the recent numbers beside it, of which Enter takes the last', async () => {
    const { add, list } = await startStaging();
    for (const category of ['12', '3', '7', '7']) {
      await add(['Rex', '--category', category], true);
    }
    const { asked } = await add(['Luna', '--status', 'sold'], '');
    expect(asked).toEqual(['Category number, last: 7, 3, 12']);
    expect((await list()).at(-1)).toBe('Luna,7,sold');
  });

  it('digits are the number typed, not a row of what is shown', async () => {
    const { add, list } = await startStaging();
    for (const category of ['5', '6', '7']) await add(['Rex', '--category', category]);
    await add(['Luna', '--status', 'sold'], '3');
    expect((await list()).at(-1)).toBe('Luna,3,sold');
  });

  it.each([
    ['12', [undefined]],
    [' 12 ', [undefined]],
    ['', ['A category is a whole number, such as 7']],
    ['dogs', ['A category is a whole number, such as 7']],
    ['9223372036854775808', ['A category is a whole number, such as 7']],
    ['0', ['Is 0 right? Press Enter again to take it', undefined]],
    ['-3', ['Is -3 right? Press Enter again to take it', undefined]],
  ])('%j entered again and again: %j', async (typed, said) => {
    const { env } = await startStaging();
    const heard: unknown[] = [];
    const prompt = createFakePrompt('7', 'sold');
    const askText: typeof prompt.askText = (message, options) => {
      for (const _ of said) heard.push(options?.check?.(typed));
      return prompt.askText(message, options);
    };
    await addAsking(env, ['Rex'], [], { prompt: { ...prompt, askText } });
    expect(heard).toEqual(said);
  });
});

describe('several pets in a row', () => {
  it('keep category and status until Enter alone, in one start', async () => {
    const { add, list } = await startStaging();
    const names = ['Rex', 'Bella', 'Luna', 'Milo', 'Coco'];
    const [first = '', ...others] = names;
    const run = await add([], first, '7', 'pending', ...others, '');
    expect(run.exitCode).toBe(0);
    expect(await list()).toEqual(names.map((name) => `${name},7,pending`));
    // The start, three for the first pet, one for each other one and one to stop.
    expect(1 + run.asked.length).toBeLessThanOrEqual(12);
    expect(run.asked.at(-1)).toBe('Another? name, or Enter to stop (category 7, pending):');
  });

  it.each([
    ['with a machine format', ['--json'], ['Rex', '7', 'sold']],
    ['when the name was given', ['Rex'], ['7', 'sold']],
    [
      'with an idempotency key, which is for one pet',
      ['--idempotency-key', 'k'],
      ['Rex', '7', 'sold'],
    ],
    ['with a dry run', ['--dry-run'], ['Rex', '7', 'sold']],
  ])('not %s', async (_, words, answers) => {
    const { add } = await startStaging();
    expect((await add(words, ...answers)).exitCode).toBe(0);
  });

  it('each is confirmed in a protected environment', async () => {
    const { add, list } = await startStaging('PRODUCTION');
    const run = await add([], 'Rex', '7', 'sold', true, 'Bella', false);
    expect(run).toMatchObject({ exitCode: 3 });
    expect(run.asked.filter((question) => question.includes('to production'))).toHaveLength(2);
    expect(await list()).toEqual(['Rex,7,sold']);
  });

  it('a pet of the same name is asked about', async () => {
    const { add, list } = await startStaging();
    const run = await add([], 'Rex', '7', 'sold', 'Rex', true, '');
    expect(run.asked).toContain('"Rex" was added to category 7 a few minutes ago. Add it again?');
    expect(await list()).toHaveLength(2);
  });
});

async function startFailing() {
  const failure = '{"code":"internal_error","message":"oh","status":500}';
  const server = await startHttpServer(respondJson(500, failure));
  return stagingAt(server.url);
}

describe('nothing is asked in vain', () => {
  const asking: (string | boolean)[] = [];
  it.each([
    ['no service', async () => stagingAt('http://127.0.0.1:1/v1'), 8, 'cannot be reached'],
    [
      'a key that is not accepted',
      async () => ({ ...(await startStaging()).env, PETSTORE_STAGING_API_KEY: 'wrong-key-1234' }),
      4,
      'The API key for staging was not accepted.',
    ],
    ['a service that fails', startFailing, 7, 'staging failed'],
  ])('%s is said before the first question', async (_, makeEnv, exitCode, message) => {
    const run = await addAsking(await makeEnv(), ['--retries', '0'], asking);
    expect(run).toMatchObject({ exitCode, stdout: '', asked: [] });
    expect(run.stderr).toContain(message);
  });

  it('also before a protected environment is confirmed', async () => {
    const env = {
      PETSTORE_PRODUCTION_URL: 'http://127.0.0.1:1/v1',
      PETSTORE_API_KEY: 'test-key-1',
    };
    const words = ['Rex', '--category', '7', '-e', 'production', '--retries', '0'];
    expect(await addAsking(env, words, asking)).toMatchObject({ exitCode: 8, asked: [] });
  });

  it('a dry run needs no service', async () => {
    const env = stagingAt('http://127.0.0.1:1/v1');
    expect(await addAsking(env, ['--dry-run'], ['Rex', '7', 'sold'])).toMatchObject({
      exitCode: 0,
    });
  });
});

describe('a name that cannot be', () => {
  it.each([
    ['', true, 'petstore add --env staging --category 7'],
    [' \n', true, 'petstore add --env staging --category 7'],
    [' ', false, 'petstore add --help'],
    ['Mrs\nWhiskers', false, "petstore add --env staging 'Mrs Whiskers' --category 7"],
    ['x'.repeat(256), true, 'petstore add --env staging --category 7'],
  ])('%j: a terminal %j: %s', async (name, tty, line) => {
    const { env } = await startStaging();
    const run = await runPetstore(['add', name, '--category', '7'], { tty, env });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(`Try:  ${line}\n`);
  });

  it.each([
    ['an API key', (key: string) => `${key} `],
    ['a line with an API key in it', (key: string) => `PETSTORE_STAGING_API_KEY=${key} Rex`],
  ])('is %s', (_what, type) => {
    const key = formatApiKey(Buffer.alloc(32, 7));
    expect(checkName(type(key))).toBe('This is an API key, not a name');
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { checkName } from '../../../src/commands/add/ask-for-pet.ts';
import { formatApiKey } from '../../../src/contract/api-key.ts';
import { type Prompt, PromptClosedError } from '../../../src/terminal/prompts/prompt.ts';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { createHome, type RunOptions, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';
import { stagingAt } from '../../support/staging.ts';

async function startStaging(name = 'STAGING') {
  const service = await startService();
  onTestFinished(() => service.close());
  const HOME = await createHome();
  const env = {
    [`PETSTORE_${name}_URL`]: service.url,
    PETSTORE_API_KEY: service.key,
    PETSTORE_ENV: name.toLowerCase(),
    HOME,
  };
  return {
    env,
    add: (words: string[], ...answers: (string | boolean)[]) => addAsking(env, words, answers),
    list: async () => {
      const words = ['list', '--csv', '--fields', 'name,categoryId,status'];
      return (await runPetstore(words, { env })).stdout.split('\n').slice(1, -1);
    },
  };
}

async function addAsking(
  env: Record<string, string>,
  words: string[],
  answers: (string | boolean)[],
  options: RunOptions = {},
) {
  const prompt = createFakePrompt(...answers);
  const run = await runPetstore(['add', ...words], { tty: true, env, prompt, ...options });
  return { ...run, asked: prompt.asked };
}

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

async function startFailing() {
  const failure = '{"code":"internal_error","message":"oh","status":500}';
  const server = await startHttpServer(respondJson(500, failure));
  return stagingAt(server.url);
}

/** A service that lists but adds nothing. */
async function startReadOnly(status: number, code: string) {
  const server = await startHttpServer((request, response) => {
    const isRead = request.method === 'GET';
    const failure = `{"code":"${code}","message":"not today","status":${status}}`;
    respondJson(isRead ? 200 : status, isRead ? '[]' : failure)(request, response);
  });
  return stagingAt(server.url);
}

describe('what was typed is in the line to try when the add fails', () => {
  const line = "petstore add --env staging 'Mrs Whiskers' --category 7 --status sold";
  const answers = ['Mrs Whiskers', '7', 'sold'];
  it.each([
    [400, 'bad_request', 'staging did not accept the request: not today', `Try:  ${line}\n`],
    [429, 'busy', 'staging is too busy: not today', `Try:  ${line}\n`],
    [
      401,
      'unauthorized',
      'the API key for staging was not accepted.',
      `Try:  petstore auth status --check --env staging\n      ${line}\n`,
    ],
  ])('%i', async (status, code, reason, tries) => {
    const env = await startReadOnly(status, code);
    const { stderr } = await addAsking(env, ['--retries', '0'], answers);
    expect(stderr).toContain(`Error: Mrs Whiskers was not added: ${reason}\n`);
    expect(stderr.endsWith(tries)).toBe(true);
  });

  it('and not where it was on the command line', async () => {
    const env = await startReadOnly(400, 'bad_request');
    const words = ['Rex', '--category', '7', '--retries', '0'];
    const { stderr } = await addAsking(env, words, []);
    expect(stderr).toContain('Error: staging did not accept the request: not today\n');
    expect(stderr).not.toContain('petstore add');
  });

  it('of another pet too', async () => {
    let adds = 0;
    const server = await startHttpServer((request, response) => {
      adds += request.method === 'POST' ? 1 : 0;
      const pet = '{"id":1,"name":"Rex","categoryId":7,"status":"sold"}';
      if (request.method === 'GET') return respondJson(200, '[]')(request, response);
      return adds === 1
        ? respondJson(201, pet)(request, response)
        : respondJson(400, '{"code":"no","message":"not today","status":400}')(request, response);
    });
    const { stderr } = await addAsking(stagingAt(server.url), [], ['Rex', '7', 'sold', 'Bella']);
    expect(stderr).toContain('Try:  petstore add --env staging Bella --category 7 --status sold\n');
  });
});

describe('what was typed before Ctrl-C is in the line to try', () => {
  /** Responds until no answer is left, then leaves the prompt. */
  function createLeavingPrompt(...answers: (string | boolean)[]): Prompt {
    const prompt = createFakePrompt(...answers);
    const leave = <T>(answer: Promise<T>) =>
      answer.catch(() => {
        throw new PromptClosedError('Stopped; nothing was added.');
      });
    return {
      askText: (...words) => leave(prompt.askText(...words)),
      askSecret: (...words) => leave(prompt.askSecret(...words)),
      askConfirm: (...words) => leave(prompt.askConfirm(...words)),
      askChoice: (...words) => leave(prompt.askChoice(...words)),
    };
  }

  it.each([
    ['staging', [], ['Mrs Whiskers'], "petstore add --env staging 'Mrs Whiskers'"],
    ['staging', [], ['Rex', '7'], 'petstore add --env staging Rex --category 7'],
    ['staging', ['--status', 'sold'], ['Rex'], 'petstore add --env staging Rex --status sold'],
    ['staging', ['--status', 'sold'], ['-x'], 'petstore add --env staging --status sold -- -x'],
    [
      'production',
      [],
      ['Rex', '7', 'sold'],
      'petstore add --env production Rex --category 7 --status sold',
    ],
  ])('%s %j %j', async (environment, words, answers, line) => {
    const { env } = await startStaging(environment.toUpperCase());
    const prompt = createLeavingPrompt(...answers);
    const run = await runPetstore(['add', ...words], { tty: true, env, prompt });
    expect(run).toMatchObject({ exitCode: 130, stdout: '' });
    expect(run.stderr).toContain(`Stopped; nothing was added.\nTry:  ${line}\n`);
  });

  it('of another pet too, with the number that were added', async () => {
    const { env } = await startStaging();
    const prompt = createLeavingPrompt('Rex', '7', 'sold', 'Rex');
    const { stderr } = await runPetstore(['add'], { tty: true, env, prompt });
    expect(stderr).toContain(
      'Stopped; 1 pet was added.\nTry:  petstore add --env staging Rex --category 7 --status sold\n',
    );
  });

  it('and nothing is tried where nothing was typed', async () => {
    const { env } = await startStaging();
    const prompt = createLeavingPrompt();
    const { stderr } = await runPetstore(['add'], { tty: true, env, prompt });
    expect(stderr.endsWith('Stopped; nothing was added.\n')).toBe(true);
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

  it('is an API key', () => {
    expect(checkName(`${formatApiKey(Buffer.alloc(32, 7))} `)).toBe(
      'This is an API key, not a name',
    );
  });
});

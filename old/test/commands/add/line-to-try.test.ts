import { describe, expect, it } from 'vitest';
import { type Prompt, PromptClosedError } from '../../../src/terminal/prompts/prompt.ts';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { runPetstore } from '../../support/run-program.ts';
import { stagingAt } from '../../support/staging.ts';
import { addAsking, startStaging } from './add-asking.ts';

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

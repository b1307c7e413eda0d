import { describe, expect, it, onTestFinished } from 'vitest';
import { type PetStatus, petStatuses } from '../../../src/contract/pet.ts';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';
import { stagingAt } from '../../support/staging.ts';

async function startStaging(count: number) {
  const service = await startService({
    pets: Array.from({ length: count }, (_, index) => ({
      name: `Pet ${index + 1}`,
      categoryId: 1n,
      status: petStatuses[index % 3] ?? 'sold',
    })),
  });
  onTestFinished(() => service.close());
  const env = stagingAt(service.url, service.key);
  return (...words: string[]) => runPetstore(['list', '-q', ...words], { env });
}

function countTo(last: number): string {
  return Array.from({ length: last }, (_, index) => `${index + 1}\n`).join('');
}

/** Another implementation: pages of any length, no links, no sign that it is ours. */
async function listElsewhere(count: number, ...words: string[]) {
  const page = Array.from({ length: count }, (_, id) => `{"id":${id},"name":"x","categoryId":1}`);
  const server = await startHttpServer(respondJson(200, `[${page.join(',')}]`));
  return await runPetstore(['list', ...words], { env: stagingAt(server.url) });
}

describe('a part of a list never looks like the whole', () => {
  it.each([
    { pets: 20, words: [], shown: 20, more: false },
    { pets: 21, words: [], shown: 20, more: true },
    { pets: 5, words: ['--limit', '5'], shown: 5, more: false },
    { pets: 6, words: ['--limit', '5'], shown: 5, more: true },
    { pets: 100, words: ['--limit', '250'], shown: 100, more: false },
    { pets: 251, words: ['--limit', '250'], shown: 250, more: true },
    { pets: 250, words: ['--limit', '250'], shown: 250, more: false },
    { pets: 200, words: ['--all'], shown: 200, more: false },
    { pets: 201, words: ['--all'], shown: 201, more: false },
  ])('$shown of $pets with $words', async ({ pets, words, shown, more }) => {
    const list = await startStaging(pets);
    expect(await list(...words)).toEqual({
      stdout: countTo(shown),
      stderr: more ? `Showing ${shown} pets; more exist. Use --all.\n` : '',
      exitCode: 0,
    });
    expect(await list(...words, '--require-complete')).toMatchObject({
      stdout: countTo(shown),
      exitCode: more ? 10 : 0,
    });
  });

  it('with a machine format the notice is a JSON line', async () => {
    const list = await startStaging(2);
    const run = await list('--limit', '1', '--json');
    expect(JSON.parse(run.stderr)).toEqual({
      type: 'warning',
      message: 'Showing 1 pet; more exist. Use --all.',
      shown: 1,
      complete: false,
    });
  });

  it('a full page without a link from elsewhere: nobody knows', async () => {
    const run = await listElsewhere(20);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toBe(
      'Showing 20 pets; more may exist: the service does not say. Use --all.\n',
    );
    expect(await listElsewhere(20, '--require-complete')).toMatchObject({ exitCode: 10 });
  });

  it('a page far larger than the limit is taken whole', async () => {
    const run = await listElsewhere(150_000, '--all', '--json', '--fields', 'id');
    expect(run.exitCode).toBe(0);
    expect(run.stdout.split('\n')).toHaveLength(150_000 + 3);
  });

  it('a page that is not full is the last one, also elsewhere', async () => {
    expect(await listElsewhere(19)).toMatchObject({ stderr: '', exitCode: 0 });
  });
});

describe('several --status', () => {
  const only = (count: number, ...wanted: PetStatus[]) =>
    Array.from({ length: count }, (_, index) => index)
      .filter((index) => wanted.includes(petStatuses[index % 3] ?? 'sold'))
      .map((index) => `${index + 1}\n`);

  it('are merged in the order of ids, over pages', async () => {
    const list = await startStaging(500);
    const run = await list('--all', '--status', 'sold', '--status', 'available');
    expect(run).toEqual({
      stdout: only(500, 'sold', 'available').join(''),
      stderr: '',
      exitCode: 0,
    });
  });

  it('the limit is for all of them together, and so is the notice', async () => {
    const list = await startStaging(30);
    expect(await list('--limit', '3', '--status', 'sold', '--status', 'pending')).toEqual({
      stdout: '2\n3\n5\n',
      stderr: 'Showing 3 pets; more exist. Use --all.\n',
      exitCode: 0,
    });
  });

  it('stand in the line that lists the rest', async () => {
    const list = await startStaging(30);
    const words = ['--limit', '3', '--status', 'sold', '--status', 'pending'];
    const { stderr } = await list(...words, '--require-complete');
    expect(stderr).toContain(
      'Try:  petstore list --env staging --all --status sold --status pending\n',
    );
  });

  it('of another service, whose ids need not ascend: every pet once', async () => {
    const lists = { available: [5, 3, 8], sold: [4, 9, 1], pending: [] };
    const server = await startHttpServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://pets.test');
      const status = petStatuses.find((one) => one === searchParams.get('status')) ?? 'pending';
      const pets = lists[status].map((id) => `{"id":${id},"name":"x","categoryId":1}`);
      respondJson(200, `[${pets}]`)(request, response);
    });
    const words = petStatuses.flatMap((status) => ['--status', status]);
    const env = stagingAt(server.url);
    const { stdout, stderr } = await runPetstore(['list', '--all', '-q', ...words], { env });
    expect({ ids: stdout.trim().split('\n').sort(), stderr }).toEqual({
      ids: ['1', '3', '4', '5', '8', '9'],
      stderr: '',
    });
  });

  it('the same one twice is one', async () => {
    const list = await startStaging(3);
    expect((await list('--status', 'sold', '--status', 'sold')).stdout).toBe('3\n');
  });

  it('reads a page of each at a time, not everything', async () => {
    const service = await startService({
      pets: Array.from({ length: 1000 }, () => ({
        name: 'x',
        categoryId: 1n,
        status: 'sold' as const,
      })),
    });
    onTestFinished(() => service.close());
    const env = stagingAt(service.url, service.key);
    const words = ['list', '--limit', '50', '--status', 'sold', '--status', 'pending', '-v'];
    const { stderr } = await runPetstore(words, { env });
    expect(stderr.match(/> GET/g)).toHaveLength(2);
  });
});

describe('a next link to another origin of the same host is refused', () => {
  it.each([
    ['another port', (_own: string, other: string) => other],
    ['another scheme', (own: string) => own.replace('http:', 'https:')],
  ])('%s', async (_, choose) => {
    const other = await startHttpServer(respondJson(200, '[]'));
    let link = '';
    const server = await startHttpServer((request, response) => {
      const pet = '[{"id":1,"name":"Rex","categoryId":1}]';
      respondJson(200, pet, { link: `<${link}>; rel="next"` })(request, response);
    });
    link = `${choose(server.url, other.url)}/pets?limit=100&cursor=a`;
    const env = stagingAt(server.url);
    const run = await runPetstore(['list', '--all', '--json'], { env });
    expect(run).toMatchObject({ stdout: '', exitCode: 7 });
    expect(JSON.parse(run.stderr)).toMatchObject({ type: 'error', status: 200 });
    expect(run.stderr).toContain(new URL(link).origin);
    expect(server.requests).toEqual(['GET /v1/pets?limit=100']);
    expect(other.requests).toEqual([]);
  });
});

describe('a page that fails fails the command', () => {
  async function listFailing(format: string) {
    let page = 0;
    const server = await startHttpServer((request, response) => {
      page += 1;
      if (page === 2)
        return respondJson(500, '{"code":"internal_error","message":"oh","status":500}')(
          request,
          response,
        );
      const pets = Array.from({ length: 100 }, (_, id) => `{"id":${id},"name":"x","categoryId":1}`);
      return respondJson(200, `[${pets}]`, { link: '<?limit=100&cursor=a>; rel="next"' })(
        request,
        response,
      );
    });
    const run = await runPetstore(['list', '--all', '-o', format], { env: stagingAt(server.url) });
    return { ...run, lines: run.stdout.split('\n').length - 1 };
  }

  it.each([
    ['ndjson', 100],
    ['csv', 101],
    ['json', 0],
    ['table', 0],
  ])('%s shows %i lines, then the error', async (format, lines) => {
    const run = await listFailing(format);
    expect(run).toMatchObject({ lines, exitCode: 7 });
    expect(run.stderr).toContain('internal_error');
  });
});

import { describe, expect, it } from 'vitest';
import { startHttpServer } from '../../support/http-server.ts';
import { runPetstore } from '../../support/run-program.ts';
import { stagingAt } from '../../support/staging.ts';

const commands = [['list'], ['list', '--all', '--ndjson'], ['get', '99', '--via', 'list']];

interface Chain {
  /** The next link of the page with this cursor. */
  next(cursor: string, request: number): string | undefined;
  /** How many pets are on that page. */
  pets?(cursor: string): number;
}

/** Runs a command against a list of these pages. */
async function follow({ next, pets = () => 1 }: Chain, argv: readonly string[]) {
  const { url, requests } = await startHttpServer((request, response) => {
    const cursor = new URL(request.url ?? '', 'http://x').searchParams.get('cursor') ?? '';
    const link = next(cursor, requests.length);
    const page = Array.from({ length: pets(cursor) }, () => ({ id: 1, name: 'x', categoryId: 1 }));
    response
      .writeHead(200, { 'content-type': 'application/json', ...(link && { link }) })
      .end(JSON.stringify(page));
  });
  const run = await runPetstore([...argv, '--retries', '0'], { env: stagingAt(url) });
  return { ...run, requests };
}

const to = (target: string) => `<${target}>; rel="next"`;

describe.each(commands)('a chain of pages that never ends is an error: %s %s %s', (...argv) => {
  it.each<[string, Chain, number]>([
    ['A, B, A', { next: (cursor) => to(`?cursor=${cursor === 'b' ? 'a' : 'b'}`) }, 3],
    ['A, B, C, B', { next: (at) => to(`?cursor=${at === 'b' ? 'c' : 'b'}`) }, 3],
    ['a page to itself', { next: (cursor) => to(`?cursor=${cursor || 'a'}`) }, 2],
    [
      'a page to itself, each time with another fragment',
      { next: (_, count) => to(`?cursor=a#${count}`) },
      2,
    ],
    [
      'empty pages, each with a new link',
      { next: (_, count) => to(`?cursor=${count}`), pets: () => 0 },
      3,
    ],
  ])('%s', async (_name, chain, pages) => {
    const { exitCode, stderr, requests } = await follow(chain, argv);
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(/unexpected response: (a link|3 empty pages)/);
    expect(requests.length).toBeLessThanOrEqual(pages);
  });
});

describe('a chain of pages that ends is read to its end', () => {
  it('two empty pages in a row are not an error, more than once', async () => {
    const chain: Chain = {
      next: (cursor) => (cursor === '9' ? undefined : to(`?cursor=${Number(cursor) + 1}`)),
      pets: (cursor) => (Number(cursor) % 3 === 0 ? 1 : 0),
    };
    const { exitCode, stdout } = await follow(chain, ['list', '--all', '-q']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '1\n1\n1\n1\n' });
  });

  it('a third empty page in a row that is the last one is not an error either', async () => {
    const chain: Chain = {
      next: (cursor) => (cursor === '2' ? undefined : to(`?cursor=${Number(cursor) + 1}`)),
      pets: () => 0,
    };
    expect((await follow(chain, ['list', '--all'])).exitCode).toBe(0);
  });
});

describe('a Link header that cannot be read is an error where a page without a link is the last', () => {
  it.each([
    '?cursor=1; rel="next"',
    '<?cursor=1>; rel="next',
    '<http://[>; rel="next"',
    '<?cursor=0>; rel="prev", <?cursor=1; rel="next"',
  ])('%s', async (link) => {
    const { url } = await startHttpServer((_, response) => {
      response
        .writeHead(200, {
          'content-type': 'application/json',
          'petstore-idempotency': 'keys=604800',
          link,
        })
        .end('[{"id":1,"name":"x","categoryId":1}]');
    });
    const { exitCode, stderr } = await runPetstore(['list'], { env: stagingAt(url) });
    expect(exitCode).toBe(7);
    expect(stderr).toContain('a Link header that cannot be read, so more pets may follow');
  });
});

describe('a next page with a user name or password is refused, and not asked for', () => {
  it.each(['clerk@', ':secret@', 'clerk:secret@'])('%s', async (user) => {
    const { url, requests } = await startHttpServer((request, response) => {
      const link = to(`http://${user}${request.headers.host}/v1/pets?cursor=1`);
      response.writeHead(200, { 'content-type': 'application/json', link }).end('[]');
    });
    const { exitCode, stderr } = await runPetstore(['list', '--all'], { env: stagingAt(url) });
    expect(exitCode).toBe(7);
    expect(stderr).toContain('a link to a next page with a user name or password in it');
    expect(stderr).not.toContain('secret');
    expect(requests).toHaveLength(1);
  });
});

describe('a next page outside the base path is refused, and not asked for', () => {
  it.each(['/v2/pets?cursor=1', '/v1/../admin', '/pets', '//127.0.0.1:1/v1/pets', '/v1?cursor=1'])(
    '%s',
    async (target) => {
      const { exitCode, requests } = await follow({ next: () => to(target) }, ['list', '--all']);
      expect(exitCode).toBe(7);
      expect(requests).toHaveLength(1);
    },
  );
});

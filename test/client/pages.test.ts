import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findLinkProblem, findNextLink } from '../../src/client/link.ts';
import { createPetstoreClient } from '../../src/client/petstore-client.ts';
import { startHttpServer } from '../support/http-server.ts';

interface PageAt {
  readonly pets: number;
  readonly link?: string;
}

/** Serves pages by their path and query below /v1. */
async function open(pages: Readonly<Record<string, PageAt>>, headers = {}) {
  const { url, requests } = await startHttpServer((request, response) => {
    const { pets, link } = pages[(request.url ?? '').replace('/v1/pets', '')] ?? { pets: 0 };
    const body = Array.from({ length: pets }, (_, at) => ({ id: at, name: 'Rex', categoryId: 7 }));
    response.writeHead(200, {
      'content-type': 'application/json',
      ...headers,
      ...(link && { link }),
    });
    response.end(JSON.stringify(body));
  });
  const client = createPetstoreClient({ baseUrl: new URL(url), apiKey: 'a-key', retries: 0 });
  onTestFinished(client.close);
  const readAll = async () => {
    const sizes: number[] = [];
    for await (const { pets } of client.eachPage({ limit: 2 })) sizes.push(pets.length);
    return sizes;
  };
  return { client, requests, readAll };
}

const next = (target: string) => `<${target}>; rel="next"`;

it('a list is read page by page to the one that links no further', async () => {
  const { readAll } = await open({
    '?limit=2': { pets: 2, link: next('?limit=2&cursor=a') },
    '?limit=2&cursor=a': { pets: 0, link: next('/v1/pets?cursor=b') },
    '?cursor=b': { pets: 1 },
  });
  expect(await readAll()).toEqual([2, 0, 1]);
});

it.each([
  ['links back to a page that was read', { '?limit=2': { pets: 2, link: next('?limit=2') } }],
  [
    'links from one empty page to the next',
    {
      '?limit=2': { pets: 0, link: next('?a') },
      '?a': { pets: 0, link: next('?b') },
      '?b': { pets: 0, link: next('?c') },
      '?c': { pets: 2 },
    },
  ],
  ['links to another origin', { '?limit=2': { pets: 2, link: next('https://pets.test/v1/pets') } }],
  ['links out of its base URL', { '?limit=2': { pets: 2, link: next('/v2/pets') } }],
  ['has a link that is no URL', { '?limit=2': { pets: 2, link: next('http://[') } }],
  ['has a link that is no page', { '?limit=2': { pets: 2, link: next('javascript:next') } }],
  ['has a link that cannot be read', { '?limit=2': { pets: 2, link: '<?a; rel="next"' } }],
])('a list that %s is an error, not a short list', async (_, pages) => {
  const { readAll } = await open(pages);
  await expect(readAll()).rejects.toMatchObject({ code: 'cli_unexpected_response', exitCode: 7 });
});

describe('whether more pets follow', () => {
  it.each([
    ['unknown', 'a full page without a link', { pets: 2 }, {}],
    ['no', 'a page that is not full', { pets: 1 }, {}],
    [
      'no',
      'a full page of a service that says it is ours',
      { pets: 2 },
      { 'petstore-idempotency': '7d' },
    ],
    ['yes', 'a page with a link', { pets: 2, link: next('?a') }, {}],
  ])('is %s after %s', async (more, _, page, headers) => {
    const { client } = await open({ '?limit=2': page }, headers);
    const first = await client.eachPage({ limit: 2 }).next();
    expect(first).toMatchObject({ value: { more } });
  });
});

describe('a Link header', () => {
  const page = new URL('https://pets.test/v1/pets?limit=2');
  const token = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
  const quoted = fc
    .stringMatching(/^[ -~]{0,12}$/)
    .map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`);
  const parameter = fc
    .tuple(
      token.filter((name) => !['rel', 'anchor'].includes(name)),
      fc.oneof(token, quoted),
    )
    .map(([name, value]) => `${name}=${value}`);
  const other = fc
    .tuple(token, fc.array(parameter, { maxLength: 3 }))
    .map(([target, parameters]) => [`<${target}>`, ...parameters, 'rel=other'].join('; '));

  it('gives the target of its next link, whatever stands around it', () => {
    fc.assert(
      fc.property(
        ...([fc.array(other, { maxLength: 3 }), fc.array(other, { maxLength: 3 })] as const),
        fc.array(parameter, { maxLength: 3 }),
        token,
        (before, after, parameters, target) => {
          const link = [`<?cursor=${target}>`, ...parameters, 'rel="prev next"'].join(' ;');
          const header = [...before, link, ...after].join(' , ');
          expect(String(findNextLink(header, page))).toBe(
            `https://pets.test/v1/pets?cursor=${target}`,
          );
        },
      ),
    );
  });

  it('never hangs and never throws', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      ';',
      ',',
      '"',
      '\\',
      '=',
      ' ',
      'rel',
      'next',
      'a',
      '\t',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 2_000 }), (pieces) => {
        findNextLink(pieces.join(''), page);
      }),
    );
  });

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['<a>; rel=prev', undefined],
    ['<a>; rel=next; anchor="#foo"', undefined],
    ['<a>; rel=prev; rel=next', undefined],
    ['<a>; REL=NEXT', 'https://pets.test/v1/a'],
    ['<a>;rel=next,', 'https://pets.test/v1/a'],
    [', <a> ; rel = "next"', 'https://pets.test/v1/a'],
    ['<a>; title="x, <b>; rel=next"; rel=prev', undefined],
    ['<b>; rel=next oops', 'unreadable'],
    ['rel="next"', 'unreadable'],
    ['<http://[>; rel=next', 'unreadable'],
    ['<https://pets.test:99999/>; rel=next', 'unreadable'],
    ['<http://[>; rel=prev, <b>; rel=next', 'https://pets.test/v1/b'],
    [['<a>; rel=prev', '<b>; rel=next'], 'https://pets.test/v1/b'],
  ])('%j names %j', (header, expected) => {
    expect(findNextLink(header, page)?.toString()).toBe(expected);
  });

  it.each([
    ['https://pets.test/v1/pets', false],
    ['https://pets.test:8443/v1/pets', true],
    ['http://pets.test/v1/pets', true],
    ['https://name:word@pets.test/v1/pets', true],
    ['https://pets.test/v1pets', true],
    ['https://pets.test/v1/../admin', true],
  ])('to %s is refused: %s', (url, isRefused) => {
    expect(findLinkProblem(new URL(url), new URL('https://pets.test/v1')) !== undefined).toBe(
      isRefused,
    );
  });
});

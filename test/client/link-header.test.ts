import { describe, expect, it } from 'vitest';
import { findLink } from '../../src/client/link-header.ts';

const base = new URL('https://pets.example.com/shop/v1/pets?limit=20');

describe('the next link of a Link header (RFC 8288)', () => {
  it.each([
    ['<?limit=20&cursor=a>; rel="next"', 'https://pets.example.com/shop/v1/pets?limit=20&cursor=a'],
    ['<?cursor=a>; rel=next', 'https://pets.example.com/shop/v1/pets?cursor=a'],
    ['<?cursor=a>;title="a, b";rel="prev next"', 'https://pets.example.com/shop/v1/pets?cursor=a'],
    ['<?a>; rel="prev", <?b>; rel="next"', 'https://pets.example.com/shop/v1/pets?b'],
    ['<?a,b>; REL="NEXT"', 'https://pets.example.com/shop/v1/pets?a,b'],
    ['<https://evil.example/>; rel="next"', 'https://evil.example/'],
    ['<?a>; rel="nextish"', undefined],
    ['<?a>; title="rel=next"', undefined],
    ['?a; rel="next"', undefined],
    ['', undefined],
    [undefined, undefined],
    [['<?a>; rel="prev"', '<?b>; rel="next"'], 'https://pets.example.com/shop/v1/pets?b'],
  ])('%j leads to %s', (header, target) => {
    expect(findLink(header, 'next', base)?.href).toBe(target);
  });
});

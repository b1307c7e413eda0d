import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLink, isUnreadable } from '../../../src/client/pages/link-header.ts';

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
    ['<?a>; title="x; rel=next"; rel=prev', undefined],
    ['<?a>; title="a\\"; rel=next; x=\\""; rel="prev"', undefined],
    ['<?a>; rel="next"; anchor="/other"', undefined],
    ['<?a>; anchor=""; rel="next", <?b>; rel="next"', 'https://pets.example.com/shop/v1/pets?b'],
    ['<?a>; rel="prev"; rel="next"', undefined],
    ['<?a>; title="never closed; rel=next', undefined],
    ['<?a>; title="<?b>; rel=next, <?c>; rel=next"; rel=last', undefined],
    [',, <?a> ; rel = next ,', 'https://pets.example.com/shop/v1/pets?a'],
    ['<?a>;; rel=next;', 'https://pets.example.com/shop/v1/pets?a'],
    ['<?a>; rel="next", <?b', 'https://pets.example.com/shop/v1/pets?a'],
    ['?a; rel="next"', undefined],
    ['<?a>; rel="next" x', undefined],
    ['<?a>; rel=next, <?b>; rel=next x', 'https://pets.example.com/shop/v1/pets?a'],
    ['<?a>; rel="n\\ext"', 'https://pets.example.com/shop/v1/pets?a'],
    ['<?a>  ;  rel  =  next  ,', 'https://pets.example.com/shop/v1/pets?a'],
    ['<?a>; x; rel=next', 'https://pets.example.com/shop/v1/pets?a'],
    ['< ?a >;rel=next', 'https://pets.example.com/shop/v1/pets?a'],
    ['', undefined],
    [undefined, undefined],
    [['<?a>; rel="prev"', '<?b>; rel="next"'], 'https://pets.example.com/shop/v1/pets?b'],
    ['<http://[>; rel=next, <?b>; rel=next', 'https://pets.example.com/shop/v1/pets?b'],
  ])('%j leads to %s', (header, target) => {
    expect(findLink(header, 'next', base)?.href).toBe(target);
  });
});

describe('a link may have been overlooked', () => {
  it.each([
    ['<?a>; rel=prev', false],
    ['<?a>; rel=prev,', false],
    [['<?a>; rel=prev', '<?b>; rel=last'], false],
    ['', false],
    [undefined, false],
    ['<?a', true],
    [';a=b', true],
    ['<?a>; rel=prev x', true],
    ['<http://[>; rel=prev', true],
    [['<?a>; rel=prev', '<?b'], true],
    [['<?a>; rel=prev', '<http://[>; rel=last'], true],
  ])('in %j: %s', (header, expected) => {
    expect(isUnreadable(header, base)).toBe(expected);
  });
});

const token = fc.stringMatching(/^[a-z]{1,8}$/);
const text = fc.string({ maxLength: 12 }).map((value) => value.replace(/[^\x20-\x7e]/g, ''));
const quote = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`;
const target = fc.stringMatching(/^\?[a-z0-9,;="& ]{0,12}$/);
const link = fc.record({
  target,
  relation: fc.constantFrom('next', 'prev', 'last', 'NEXT', 'prev next'),
  others: fc.array(fc.tuple(token, text), { maxLength: 3 }),
  isAnchored: fc.boolean(),
});

describe('any Link header', () => {
  it('is read as it was written, whatever is in quotes', () => {
    fc.assert(
      fc.property(fc.array(link, { maxLength: 4 }), (links) => {
        const fields = links.map(({ target: to, relation, others, isAnchored }) => {
          const extra = others
            .filter(([name]) => !['rel', 'anchor'].includes(name))
            .map(([name, value]) => `; ${name}=${quote(value)}`);
          return `<${to}>${extra.join('')}; rel="${relation}"${isAnchored ? '; anchor="#x"' : ''}`;
        });
        const expected = links.find(
          ({ relation, isAnchored }) => /next/i.test(relation) && !isAnchored,
        );
        const found = findLink(fields.join(', '), 'next', base);
        expect(found?.href).toBe(expected && new URL(expected.target, base).href);
        expect(findLink(fields, 'next', base)?.href).toBe(found?.href);
      }),
    );
  });

  it('is read without an exception and in time, also when it is not one', () => {
    const pieces = fc.constantFrom('<', '>', ';', ',', '"', '\\', 'rel', '=', 'next', ' ', '?a');
    const broken = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(broken, fc.string()), (header) => {
        const found = findLink(header, 'next', base);
        expect(found === undefined || header.toLowerCase().includes('next')).toBe(true);
      }),
    );
    const start = performance.now();
    findLink(`<?a>${'; a="\\"'.repeat(50_000)}`, 'next', base);
    findLink('<'.repeat(100_000), 'next', base);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatKeyInfo, keyAccesses, parseKeyInfo } from '../../src/contract/key-info.ts';

describe('Petstore-Key', () => {
  it.each([
    [{ access: 'write' }, 'access=write'],
    [{ access: 'read', expiresAt: new Date(1798761600_999) }, 'access=read, expires=@1798761600'],
  ] as const)('%j is %s', (info, text) => {
    expect(formatKeyInfo(info)).toBe(text);
  });

  it('is read as it was written, to the second', () => {
    const seconds = fc.option(fc.integer({ min: 0, max: 2 ** 33 }), { nil: undefined });
    fc.assert(
      fc.property(fc.constantFrom(...keyAccesses), seconds, (access, second) => {
        const expiresAt = second === undefined ? undefined : new Date(second * 1000);
        const read = parseKeyInfo(formatKeyInfo({ access, expiresAt }));
        expect(read).toEqual(expiresAt === undefined ? { access } : { access, expiresAt });
      }),
    );
  });

  it.each([
    ['access=read,expires=@0', { access: 'read', expiresAt: new Date(0) }],
    ['  access=write\t,\tx ', { access: 'write' }],
    ['x=1.5, y="a, access=write", z=(a b);q, access=read;p=:YQ==:, *=?0', { access: 'read' }],
    ['access=write, access=read', { access: 'read' }],
    ['   access=read   ', { access: 'read' }],
    ['x, access=read', { access: 'read' }],
    ['access=read, expires=@-1', { access: 'read', expiresAt: new Date(-1000) }],
  ])('%j is read by the rules of a Dictionary', (text, info) => {
    expect(parseKeyInfo(text)).toEqual(info);
  });

  it.each([
    '',
    'access',
    'access="read"',
    'access=admin',
    'ACCESS=read',
    'access=read,',
    'access=read expires=@1',
    'access=read, expires=1',
    'access=read, expires=@999999999999999',
    'expires=@1',
    'access=read, "x"',
    'access= read',
    'ac cess=read',
    'access=read, expires=@0000000000000012',
  ])('%j says nothing', (text) => {
    expect(parseKeyInfo(text)).toBeUndefined();
  });

  it('takes no longer than its length for what does not follow the rules', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseKeyInfo(text)));
    const started = performance.now();
    for (const text of ['a'.repeat(16_000), 'a=b;'.repeat(4_000), 'a=(((('.repeat(2_000)])
      expect(parseKeyInfo(`${text}\u0000`)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(500);
  });
});

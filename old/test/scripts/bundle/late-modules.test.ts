import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { importLate, wrapLate } from '../../../binary/late-modules.ts';

describe('modules of Node in the standalone program', () => {
  it('that are slow to load are imported late, and no others', () => {
    const imports = ['crypto', 'fs', 'fs/promises'].map(
      (name) => `import { a } from 'node:${name}';`,
    );
    expect(importLate(imports.join('\n'))).toBe(
      [
        "import { a } from 'late:crypto';",
        "import { a } from 'node:fs';",
        "import { a } from 'late:fs/promises';",
      ].join('\n'),
    );
  });

  it('are loaded when one of their functions is called', () => {
    const loaded: string[] = [];
    const require = (name: string) => {
      loaded.push(name);
      return { crc32: (text: string) => `crc of ${text}` };
    };
    const script = wrapLate('late:zlib').replaceAll('export const', 'var');
    const sandbox = { require };
    runInNewContext(script, sandbox);
    expect(loaded).toEqual([]);
    expect(runInNewContext('crc32("abc")', sandbox)).toBe('crc of abc');
    expect(loaded).toEqual(['node:zlib']);
  });

  it('have no classes and constants, which would have to be loaded at once', () => {
    expect(wrapLate('late:crypto')).not.toMatch(/const (Hash|constants|webcrypto) /);
  });
});
